// Whether a body arrives fast enough. Only time in which the service would read it counts: a sender is not to blame while a piece of its
// body waits for its key's turn, nor while a busy machine keeps the process from reading. Independent of sockets.
import type { Millis } from '../units.ts';

export type SenderPace = {
  /** A stretch is this many looks that count. */
  stretchLooks: number;
  /** The least bytes that arrive within a stretch. */
  stretchBytes: number;
  /** After a longer gap between two looks, nothing is judged: what has arrived may not have been read yet. */
  mostGapMs: Millis;
};

/** One sender, while its body arrives. The caller looks at regular intervals. */
export class SenderProgress {
  readonly #pace: SenderPace;
  #last: { at: Millis; isWaiting: boolean };
  #stretch: { looks: number; from: number };

  constructor(pace: SenderPace, now: Millis, arrived: number, isWaiting: boolean) {
    this.#pace = pace;
    this.#last = { at: now, isWaiting };
    this.#stretch = { looks: 0, from: arrived };
  }

  /** Whether the sender is too slow, given the bytes that have arrived so far, and whether some wait for their turn. */
  isTooSlow(now: Millis, arrived: number, isWaiting: boolean): boolean {
    const { stretchLooks, stretchBytes, mostGapMs } = this.#pace;
    const { at, isWaiting: wasWaiting } = this.#last;
    this.#last = { at: now, isWaiting };
    if (wasWaiting || isWaiting) return false;
    this.#stretch.looks += 1;
    if (this.#stretch.looks < stretchLooks || now - at > mostGapMs) return false;
    const isTooLittle = arrived - this.#stretch.from < stretchBytes;
    this.#stretch = { looks: 0, from: arrived };
    return isTooLittle;
  }
}
