// How late this process wakes up, and how many pushes of one key it therefore runs at once (docs/operations.md#pushes-of-a-key). It wakes
// late while its own work blocks the event loop or other programs use the processors. Independent of clocks and of the work.
import type { Millis } from '../units.ts';

/** A process that wakes this late on average shares its processor; on an idle machine the average is a third of a millisecond. */
const lateFrom: Millis = 0.35;
/** Weight of one measurement in the average, which so covers about twenty of them. */
const weight = 0.05;
/** Pushes of one key at once in a process that is never late. */
const mostAtOnce = 16;
const longestRests = 6;

export class LoopLateness {
  #average: Millis = 0;

  /** The process woke this much later than it had asked for. */
  woke(lateBy: Millis): void {
    this.#average += weight * (Math.max(0, lateBy) - this.#average);
  }

  /** How many pushes of one key may run at once. */
  get atOnce(): number {
    return Math.max(1, Math.min(mostAtOnce, Math.floor(lateFrom / this.#average)));
  }

  /** How long a key with more pushes waits after one that took `took`. */
  restAfter(took: Millis): Millis {
    return took * Math.max(0, Math.min(longestRests, this.#average / lateFrom - 1));
  }
}
