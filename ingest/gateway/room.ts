// How much the gateway takes on at once: pushes, and bytes of their bodies. Beyond it the sender is told to come back (backpressure), and
// nothing of its push is accepted; what is under way is never held up by what would be too much.
import { comeBack } from './problem.ts';

export type RoomLimits = { pushes: number; bytes: number };

/** A body turns into some ten times its size while it is worked on. */
export const defaultRoom: RoomLimits = { pushes: 512, bytes: 32 * 1024 * 1024 };

export class Room {
  readonly #limits: RoomLimits;
  #pushes = 0;
  #bytes = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  /** Lets a push in. @throws Problem `rate-limited`. */
  enter(): Place {
    if (this.#pushes >= this.#limits.pushes) throw comeBack('rate-limited', 'too many pushes are under way at once');
    this.#pushes += 1;
    let held = 0;
    return {
      hold: (bytes) => {
        const others = this.#bytes - held;
        // A push that is alone always fits: bodies are smaller than the room.
        if (others > 0 && others + bytes > this.#limits.bytes)
          throw comeBack('rate-limited', 'too many bytes are being accepted at once');
        this.#bytes = others + bytes;
        held = bytes;
      },
      leave: () => {
        this.#bytes -= held;
        this.#pushes -= 1;
        held = 0;
      },
    };
  }
}

/** The room that one push takes up. */
export type Place = {
  /** What it holds from now on. @throws Problem `rate-limited`. */
  hold(bytes: number): void;
  leave(): void;
};
