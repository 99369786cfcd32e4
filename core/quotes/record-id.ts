// Record ids (docs/quotes.md#duplicates): they identify the records of a push with an Idempotency-Key. Source-timed records without a key
// need none: the fold recognises them by source, game, scope, time and content (core/live/identity.ts).
import { hash } from 'node:crypto';

/** 144 bits of a digest over source, key, index and the element's SHA-256, in 24 characters. */
export function recordIdOfKey(parts: { source: string; key: string; index: number; sha256: string }): string {
  const named = JSON.stringify(['key', parts.source, parts.key, parts.index, parts.sha256]);
  return hash('sha256', named, 'buffer').toString('base64url', 0, 18);
}
