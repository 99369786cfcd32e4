// Exponential backoff between retries: the pause doubles up to a limit that is short enough to notice a recovery soon.
import type { Millis } from './units.ts';

export const firstPauseMs: Millis = 20;
const longestPauseMs: Millis = 2_000;

/** The pause after one that was not long enough. */
export function longerPause(ms: Millis): Millis {
  return Math.min(ms * 2, longestPauseMs);
}
