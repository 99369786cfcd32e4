// Where an element that is too large for its record is stored: an object named by the SHA-256 of its text (docs/revisions.md#observations).
// Writers and readers share this one rule. Any producer can write a record, so a reference that is not a valid hash names no object.
import type { HeldElement } from '../../../schemas/events/observations.ts';
import type { Attachment } from '../../ports/object-store.ts';

/** An element whose text has at most this many bytes goes into its record. */
export const mostInlineBytes = 900_000;

/** The gateway takes no larger body (docs/operations.md#push-gateway). */
const mostBytes = 8 * 1024 * 1024;

/** The object of a held element: its text as one zstd frame. Kept for ever, because epochs are rebuilt from it. */
export function heldElementKey(sha256: string): string {
  return `observations/${sha256}.json.zst`;
}

/** The text uncompressed: earlier releases stored it so, and so it is stored where the other object is damaged. */
export function plainElementKey(sha256: string): string {
  return `observations/${sha256}.json`;
}

/** The object that `held` names; null if it cannot be one of ours. */
export function heldElementObject({ sha256, size }: HeldElement): Attachment | null {
  if (!/^[0-9a-f]{64}$/.test(sha256) || !Number.isSafeInteger(size) || size <= 0 || size > mostBytes) return null;
  return {
    sha256,
    size,
    forms: [
      { key: heldElementKey(sha256), encoding: 'zstd' },
      { key: plainElementKey(sha256), encoding: 'identity' },
    ],
  };
}
