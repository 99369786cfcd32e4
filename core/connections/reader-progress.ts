// Whether a reader takes an answer fast enough to wait for it. It must take something every few seconds, so that a dead reader is soon
// dropped, and enough in each stretch, so that a trickle of bytes does not keep an answer in memory. Independent of sockets and content.
import type { Millis } from '../units.ts';

export type ReaderPace = {
  /** A reader that takes nothing for this long is too slow. */
  nothingMs: Millis;
  /** So is one that takes fewer than `stretchBytes` within `stretchMs`. */
  stretchMs: Millis;
  stretchBytes: number;
};

/** 8.5 KiB a second: even a slow line manages that. */
export const usualReaderPace: ReaderPace = { nothingMs: 9_000, stretchMs: 30_000, stretchBytes: 256 * 1024 };

/** One reader, while bytes wait for it. */
export class ReaderProgress {
  readonly #pace: ReaderPace;
  #movedAt: Millis;
  #taken: number | null = null;
  #stretch: { from: Millis; taken: number } | null = null;

  constructor(pace: ReaderPace, now: Millis) {
    this.#pace = pace;
    this.#movedAt = now;
  }

  /** The reader has taken an unknown number of bytes. */
  moved(now: Millis): void {
    this.#movedAt = now;
  }

  /** Whether the reader is too slow, given the bytes it has taken so far. */
  isTooSlow(now: Millis, taken: number): boolean {
    if (this.#taken !== null && taken !== this.#taken) this.#movedAt = now;
    this.#taken = taken;
    if (now - this.#movedAt >= this.#pace.nothingMs) return true;
    this.#stretch ??= { from: now, taken };
    if (now - this.#stretch.from < this.#pace.stretchMs) return false;
    const tooLittle = taken - this.#stretch.taken < this.#pace.stretchBytes;
    this.#stretch = { from: now, taken };
    return tooLittle;
  }
}
