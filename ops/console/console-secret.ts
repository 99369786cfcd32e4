// Whether a request carries the console's secret, as the password of HTTP Basic under any name: browsers ask for it themselves, and no script
// ever holds it. How long a wrong one takes to be refused tells nothing of the right one.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHead } from '../../http/head.ts';

export function hasSecret(head: Pick<RequestHead, 'authorization' | 'authorizationCount'>, secret: string): boolean {
  if (head.authorizationCount !== 1) return false;
  const [, encoded] = /^basic ([a-z0-9+/]+={0,2})$/i.exec(head.authorization ?? '') ?? [];
  if (encoded === undefined) return false;
  const login = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = login.indexOf(':');
  return colon !== -1 && timingSafeEqual(digestOf(login.slice(colon + 1)), digestOf(secret));
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
