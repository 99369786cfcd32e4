// Record ids (docs/quotes.md#duplicates): by which a record whose push carried an Idempotency-Key is known again. Source-timed
// records without a key need none: the fold tells them by source, game, scope, time and content (core/live/identity.ts).
import { createHash } from 'node:crypto';

/** Of source, key, index and SHA-256 of the element: 144 bits of a digest over them, in 24 characters. */
export function recordIdOfKey(parts: { source: string; key: string; index: number; sha256: string }): string {
  const named = JSON.stringify(['key', parts.source, parts.key, parts.index, parts.sha256]);
  return createHash('sha256').update(named).digest().toString('base64url', 0, 18);
}
