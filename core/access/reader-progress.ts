// Whether who reads an answer takes enough of it to be waited for: something every few seconds, so that a dead reader is soon gone, and so much
// in each stretch, so that a few bytes now and then do not keep an answer in memory. Unaware of sockets and of what is read.
import type { Millis } from '../units.ts';

export type ReaderPace = {
  /** A reader that takes nothing for so long is too slow. */
  nothingMs: Millis;
  /** So is one that takes less than so many bytes in so much time. */
  stretchMs: Millis;
  stretchBytes: number;
};

/** 8.5 KiB a second: a slow line takes more. */
export const usualReaderPace: ReaderPace = { nothingMs: 9_000, stretchMs: 30_000, stretchBytes: 256 * 1024 };

/** One reader, for as long as bytes wait for it. */
export class ReaderProgress {
  readonly #pace: ReaderPace;
  #movedAt: Millis;
  #taken: number | null = null;
  #stretch: { from: Millis; taken: number } | null = null;

  constructor(pace: ReaderPace, now: Millis) {
    this.#pace = pace;
    this.#movedAt = now;
  }

  /** It has taken some bytes, of which it is not known how many. */
  moved(now: Millis): void {
    this.#movedAt = now;
  }

  /** Whether it is too slow, having taken so many bytes by now. */
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
