// One at a time, in turns between keys: a key that brings much waits behind itself, and not before the others. Unaware of what is done in a
// turn, and of whether it ends at once or much later.
import { KeyedQueue } from './keyed-queue.ts';

/** Called when the turn has come, which lasts until it calls `leave`. It does not throw. */
type Turn = (leave: () => void) => void;

export class KeyedLane {
  readonly #waiting = new KeyedQueue<Turn>();
  #isTaken = false;
  #isPassingOn = false;

  /** Waits for the turn of `key`; where nothing is under way that is now. */
  enter(key: string, turn: Turn): void {
    this.#waiting.add(key, turn);
    this.#passOn();
  }

  /** A loop, so that turns that end at once do not stand upon each other. */
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

  /** Ends one turn, once. */
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
