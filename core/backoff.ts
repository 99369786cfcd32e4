// How long to wait before the same call again: a little at first, twice as long each time, never so long that a recovery goes unnoticed.
import type { Millis } from './units.ts';

export const firstPauseMs: Millis = 20;
const longestPauseMs: Millis = 2_000;

/** The pause after the one that was in vain. */
export function longerPause(ms: Millis): Millis {
  return Math.min(ms * 2, longestPauseMs);
}
