// Whether a browser on the machine of the listener asks for a document that it will show. Browsers write `Sec-Fetch-Dest` themselves, scripts
// cannot, and they write it only to addresses that they trust: https, and the loopback by its own name. So a script of another origin and a
// name that was bound to the loopback differ in what they send. What is no browser can send anything, so that the connection has to come from
// this machine as well (docs/interface.md#live-page).
import type { RequestHead } from '../../http/head.ts';

/** `remoteAddress`: of the other end of the connection; undefined: it is gone. */
export function isBrowserHere(
  { host, fetchDestination }: Pick<RequestHead, 'host' | 'fetchDestination'>,
  remoteAddress: string | undefined,
): boolean {
  if (remoteAddress === undefined || !loopbackAddress.test(remoteAddress)) return false;
  return fetchDestination === 'document' && host !== null && loopbackName.test(host);
}

const loopbackAddress = /^(?:(?:::ffff:)?127(?:\.[0-9]{1,3}){3}|::1)$/i;
const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i;
