// Whether a reader takes an answer fast enough to wait for it. It must take something every few seconds, so that a dead reader is soon
// dropped, and enough in each stretch, so that a trickle of bytes does not keep an answer in memory. Only time in which the service runs
// counts: while a busy machine keeps it from running, it sends nothing either. Independent of sockets and content.
import type { Millis } from '../units.ts';

export type ReaderPace = {
  /** A reader that takes nothing for this long is too slow. */
  nothingMs: Millis;
  /** So is one that takes fewer than `stretchBytes` within `stretchMs`. */
  stretchMs: Millis;
  stretchBytes: number;
  /** At most this much time between two checks counts. */
  mostGapMs: Millis;
};

/** 8.5 KiB a second: even a slow line manages that. */
export const usualReaderPace: ReaderPace = {
  nothingMs: 9_000,
  stretchMs: 30_000,
  stretchBytes: 256 * 1024,
  mostGapMs: 2_000,
};

/** One reader, while bytes wait for it. The caller checks at regular intervals. */
export class ReaderProgress {
  readonly #pace: ReaderPace;
  #checkedAt: Millis;
  /** The time that counts so far; the other times are of this clock. */
  #counted: Millis = 0;
  #movedAt: Millis = 0;
  #taken: number | null = null;
  #stretch: { from: Millis; taken: number } | null = null;

  constructor(pace: ReaderPace, now: Millis) {
    this.#pace = pace;
    this.#checkedAt = now;
  }

  /** The reader has taken an unknown number of bytes. */
  moved(now: Millis): void {
    this.#movedAt = this.#count(now);
  }

  /** Whether the reader is too slow, given the bytes it has taken so far. */
  isTooSlow(now: Millis, taken: number): boolean {
    const { nothingMs, stretchMs, stretchBytes } = this.#pace;
    const at = this.#count(now);
    if (this.#taken !== null && taken !== this.#taken) this.#movedAt = at;
    this.#taken = taken;
    if (at - this.#movedAt >= nothingMs) return true;
    this.#stretch ??= { from: at, taken };
    if (at - this.#stretch.from < stretchMs) return false;
    const isTooLittle = taken - this.#stretch.taken < stretchBytes;
    this.#stretch = { from: at, taken };
    return isTooLittle;
  }

  #count(now: Millis): Millis {
    this.#counted += Math.min(now - this.#checkedAt, this.#pace.mostGapMs);
    this.#checkedAt = now;
    return this.#counted;
  }
}
