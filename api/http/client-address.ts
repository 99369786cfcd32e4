// The address under which a request without a key is counted: that of the connection, or the one that our own proxies report.
import { isIP } from 'node:net';

/**
 * The address that a request came from, with `hops` proxies of our own in front of us. Each proxy appends the address of its client to
 * X-Forwarded-For, so entries further to the front can be forged. A request with fewer entries counts under the address of its connection.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string | undefined {
  if (hops === 0 || forwardedFor === undefined) return remoteAddress;
  const forwarded = forwardedFor.split(',').at(-hops)?.trim();
  return forwarded !== undefined && isIP(forwarded) !== 0 ? forwarded : remoteAddress;
}
