// Whether a browser on the listener's machine requests a document to display. Browsers write `Sec-Fetch-Dest` themselves and scripts
// cannot; and they send it only to trustworthy addresses: https, and the loopback by its own name. So a request by a script of another
// origin, or through a name bound to the loopback, looks different. Other clients can send anything, so the connection must also come from
// this machine (docs/interface.md#live-page).
import type { RequestHead } from '../../http/head.ts';

/** `remoteAddress`: that of the connection's other end; undefined: it is closed. */
export function isBrowserHere(
  { host, fetchDestination }: Pick<RequestHead, 'host' | 'fetchDestination'>,
  remoteAddress: string | undefined,
): boolean {
  if (remoteAddress === undefined || !loopbackAddress.test(remoteAddress)) return false;
  return fetchDestination === 'document' && host !== null && loopbackName.test(host);
}

const loopbackAddress = /^(?:(?:::ffff:)?127(?:\.[0-9]{1,3}){3}|::1)$/i;
const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i;
