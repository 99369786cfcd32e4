// Record ids (quotes.md, Folding 1): by which a record that was applied before is known again.
import { createHash } from 'node:crypto';
import type { Micros } from '../units.ts';

/** Of a record whose push carried an Idempotency-Key: source, key, index and SHA-256 of the element. */
export function recordIdOfKey(parts: { source: string; key: string; index: number; sha256: string }): string {
  return digest(['key', parts.source, parts.key, parts.index, parts.sha256]);
}

/** Of a source-timed record without a key. `scope` is the operator's code, or null for scope *game*. */
export function recordIdOfTime(parts: {
  source: string;
  gameUuid: string;
  scope: string | null;
  observedAt: Micros;
  index: number;
  sha256: string;
}): string {
  return digest(['time', parts.source, parts.gameUuid, parts.scope, parts.observedAt, parts.index, parts.sha256]);
}

/** 144 bits of SHA-256 in 24 characters: ids are kept until the game settles, so they are short. */
function digest(parts: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest().toString('base64url', 0, 18);
}
