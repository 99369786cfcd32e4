// Whether a browser on the machine of the listener asks for a document that it will show. Browsers write `Sec-Fetch-Dest` themselves, scripts
// cannot, and they write it only to addresses that they trust: https, and the loopback by its own name. So a script of another origin, a
// name that was bound to the loopback, and another machine all differ in what they send (docs/interface.md#live-page).
import type { RequestHead } from '../../http/head.ts';

export function isBrowserHere({ host, fetchDestination }: Pick<RequestHead, 'host' | 'fetchDestination'>): boolean {
  return fetchDestination === 'document' && host !== null && loopback.test(host);
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i;
