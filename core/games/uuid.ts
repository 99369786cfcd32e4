// Name-based UUIDs (RFC 9562, version 5) in the service's namespace: the same names give the same ids in every process.
import { hash } from 'node:crypto';

/** N of docs/revisions.md#ids: UUIDv5 of the DNS namespace and `sports-data-service`. */
export const serviceNamespace = '6321b946-2ff2-50d9-9172-1e5014bdb14a';

/** The nil UUID belongs to no game: a tick with it applies to the games of its whole partition. docs/quotes.md#ticks. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a UUID in its canonical form: lower case, with hyphens. */
export function isCanonicalUuid(text: string): boolean {
  return text.length === 36 && canonicalUuid.test(text);
}

/** UUIDv5 of `name` in `namespace`, lower case. */
export function uuidV5(namespace: string, name: string): string {
  const named = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]);
  const digest = hash('sha1', named, 'buffer');
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  // Joined, a text is one piece of memory: put together by a template, it would keep its parts for as long as it is kept.
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The service's id for what `parts` name: UUIDv5(N, parts joined by `/`). docs/revisions.md#ids. */
export function serviceUuid(...parts: readonly string[]): string {
  return uuidV5(serviceNamespace, parts.join('/'));
}
