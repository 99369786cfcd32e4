// How long a key has rested by itself, and so how much of the rest behind a push it still has to wait for. Without it, a key that seldom
// pushes would rest between two pushes that meet as long as a key that never stops. Times are from a monotonic clock.
import type { Millis } from '../units.ts';

/** A key that has not pushed for this long has saved all that it can. */
const most: Millis = 500;

export class SavedRest {
  /** Below 0: what the key still owes. */
  #saved: Millis = most;
  #at: Millis;

  constructor(now: Millis) {
    this.#at = now;
  }

  /** A push that took `took` ends now, and `rest` is due behind it; returns how much of the rest is not saved. */
  waitAfter(took: Millis, rest: Millis, now: Millis): Millis {
    const saved = Math.min(most, this.#saved + now - took - this.#at);
    this.#at = now;
    this.#saved = Math.max(-rest, saved - rest);
    return Math.max(0, -this.#saved);
  }
}
