// How late a process wakes up, and how many pushes of a key it runs at a time then (docs/operations.md#pushes-of-a-key). It wakes later than it
// asked to while its own work holds the event loop, or other programs have the processors. Unaware of clocks and of what a key does.
import type { Millis } from '../units.ts';

/** A process that wakes this much too late, on average, shares its processor: on an idle machine it is a third of a millisecond. */
const lateFrom: Millis = 1;
/** Of one look in the average, which so covers some twenty of them. */
const weight = 0.05;
/** Of a process that is never late. */
const mostAtOnce = 16;
const longestRests = 3;

export class LoopLateness {
  #average: Millis = 0;

  /** The process woke so much later than it had asked for. */
  woke(lateBy: Millis): void {
    this.#average += weight * (Math.max(0, lateBy) - this.#average);
  }

  /** Pushes of one key that may be under way at once. */
  get atOnce(): number {
    return Math.max(1, Math.min(mostAtOnce, Math.floor(lateFrom / this.#average)));
  }

  /** How long a key with more pushes waits behind one of them that took so long. */
  restAfter(took: Millis): Millis {
    return took * Math.max(0, Math.min(longestRests, this.#average / lateFrom - 1));
  }
}
