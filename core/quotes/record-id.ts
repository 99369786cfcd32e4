// Record ids (docs/quotes.md#duplicates): they identify the records of a push with an Idempotency-Key. Source-timed records without a key
// need none: the fold recognises them by source, game, scope, time and content (core/live/identity.ts).
import { hash } from 'node:crypto';

/** What is kept of an Idempotency-Key, which its sender chose: its SHA-256 (hex). */
export function sha256OfKey(key: string): string {
  return hash('sha256', key);
}

/**
 * 144 bits of a digest over source, key, index and the element's SHA-256, in 24 characters. Of the key it takes the digest, because a replay of a
 * refused element has no more than that.
 */
export function recordIdOfKey(parts: { source: string; keySha256: string; index: number; sha256: string }): string {
  const named = JSON.stringify(['key', parts.source, parts.keySha256, parts.index, parts.sha256]);
  return hash('sha256', named, 'buffer').toString('base64url', 0, 18);
}
