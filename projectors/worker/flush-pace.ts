// When a flush is due. A flush writes the tails and boards of its games anew, so it costs little more for many records than for few: two flushes
// are some time apart, unless a lot waits.
import type { Clock } from '../../core/ports/clock.ts';
import type { Micros, Millis } from '../../core/units.ts';

/** While so many records are left to read that are late anyway, a flush waits for so many times the usual pause: by so much are they late. */
const backlog = { records: 1_000, pauses: 20 };

/** So many bytes that wait should not become more. */
const largeBytes = 4 * 1024 * 1024;

export class FlushPace {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #everyMs: Millis;
  #flushedAt: Micros = 0;
  /** Of the records folded since the last flush. */
  #waitingBytes = 0;
  /** When the newest folded record was appended. */
  #appendedAt: Micros = 0;

  constructor(clock: Pick<Clock, 'now'>, everyMs: Millis) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  folded(bytes: number, appendedAt: Micros): void {
    this.#appendedAt = appendedAt;
    this.#waitingBytes += bytes;
  }

  /** A flush begins. Answers when. */
  flushes(): Micros {
    this.#flushedAt = this.#clock.now();
    this.#waitingBytes = 0;
    return this.#flushedAt;
  }

  /** Whether so much waits that its flush should not grow. `weight`: what waits beside the records. */
  isLarge(weight: number): boolean {
    return this.#waitingBytes + weight >= largeBytes;
  }

  /** What is left of the least time between two flushes, with so many records `left` to read; a wall clock that steps back never makes it longer. */
  pauseMs(left: number, weight: number): Millis {
    if (this.isLarge(weight)) return 0;
    const since = (this.#clock.now() - this.#flushedAt) / 1_000;
    const backlogMs = this.#everyMs * backlog.pauses;
    const isLate = (this.#clock.now() - this.#appendedAt) / 1_000 > backlogMs;
    const least = isLate && left >= backlog.records ? backlogMs : this.#everyMs;
    return since < 0 ? 0 : Math.max(0, least - since);
  }
}
