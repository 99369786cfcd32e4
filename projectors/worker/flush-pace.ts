// Decides when a flush is due. A flush rewrites the tails and boards of its games, so many records cost little more than few: flushes keep a
// minimum distance, unless much is waiting.
import type { Clock } from '../../core/ports/clock.ts';
import type { Micros, Millis } from '../../core/units.ts';

/** During a backlog of at least so many late records, the pause between flushes is multiplied by this factor: the records are late anyway. */
const backlog = { records: 1_000, pauses: 20 };

/** Once so many bytes are waiting, a flush is due. */
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

  /** Whether so much is waiting that the next flush should not grow further. `weight`: bytes that wait beside the records. */
  isLarge(weight: number): boolean {
    return this.#waitingBytes + weight >= largeBytes;
  }

  /** Time until the next flush is allowed, with `left` records still to read. A wall clock that steps back never lengthens it. */
  pauseMs(left: number, weight: number): Millis {
    if (this.isLarge(weight)) return 0;
    const since = (this.#clock.now() - this.#flushedAt) / 1_000;
    const backlogMs = this.#everyMs * backlog.pauses;
    const isLate = (this.#clock.now() - this.#appendedAt) / 1_000 > backlogMs;
    const least = isLate && left >= backlog.records ? backlogMs : this.#everyMs;
    return since < 0 ? 0 : Math.max(0, least - since);
  }
}
