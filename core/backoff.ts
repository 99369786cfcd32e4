// Exponential backoff between retries of a call: short at first, then doubling, up to a limit that still notices a recovery soon.
import type { Millis } from './units.ts';

export const firstPauseMs: Millis = 20;
const longestPauseMs: Millis = 2_000;

/** The pause after a pause that did not help. */
export function longerPause(ms: Millis): Millis {
  return Math.min(ms * 2, longestPauseMs);
}
