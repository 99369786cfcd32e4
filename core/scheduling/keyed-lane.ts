// Runs one turn at a time and alternates between keys: a key with many turns delays its own, not those of other keys. A turn may end at
// once or much later; this file does not know what it does.
import { KeyedQueue } from './keyed-queue.ts';

/** Called when the turn begins; the turn lasts until it calls `leave`. It does not throw. */
type Turn = (leave: () => void) => void;

export class KeyedLane {
  readonly #waiting = new KeyedQueue<Turn>();
  #isTaken = false;
  #isPassingOn = false;

  /** Waits for the turn of `key`, which begins at once if none is in progress. */
  enter(key: string, turn: Turn): void {
    this.#waiting.add(key, turn);
    this.#passOn();
  }

  /** A loop, so that turns that end at once do not nest on the stack. */
  #passOn(): void {
    if (this.#isPassingOn) return;
    this.#isPassingOn = true;
    while (!this.#isTaken) {
      const next = this.#waiting.take();
      if (next === null) break;
      this.#isTaken = true;
      next.item(this.#leaving());
    }
    this.#isPassingOn = false;
  }

  /** Ends one turn; further calls do nothing. */
  #leaving(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#isTaken = false;
      this.#passOn();
    };
  }
}
