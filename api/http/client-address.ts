// Whose request it is where there is no key: the address of the connection, or what our own proxies say of it.
import { isIP } from 'node:net';

/**
 * The address that a request came from, `hops` proxies of our own before us: each adds whom it was asked by to the end of X-Forwarded-For,
 * so what stands there further to the front is anybody's word. Whoever came by fewer of them is taken for who he is.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string | undefined {
  if (hops === 0 || forwardedFor === undefined) return remoteAddress;
  const told = forwardedFor.split(',').at(-hops)?.trim();
  return told !== undefined && isIP(told) !== 0 ? told : remoteAddress;
}
