// Decides when a flush is due. A flush rewrites the tails and boards of its games, so many records cost little more than few. So a partition pauses
// after each flush in proportion to how long it took: what comes to an idle partition is flushed at once, and where flushes are slow, be it for
// long tails or a busy machine, the next ones wait to have more in them. Beside others, a source that keeps pushing waits longer, one that the
// last flush had little of waits less, and one that it had nothing of does not wait: so a flood is flushed in few large flushes, and does not
// delay the others.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { ActiveKeys } from '../../core/scheduling/active-keys.ts';
import { type Micros, type Millis, microsPerSecond } from '../../core/units.ts';
import { sizeOf } from './attachments.ts';

/**
 * From the beginning of one flush to that of the next, at least so many times as long passes as the first took. `beside`: if several sources
 * push to the partition; `little`: if a source waits that the last flush had little of. If a source waits that it had nothing of, the next one
 * is due at once.
 */
const timesOfFlush = { beside: 6, alone: 3, little: 2 } as const;

/** The last flush had little of a source if it had less than this part of an equal share of its bytes. */
const littleOf = 1 / 2;

/** How long a source counts as pushing after its last record. */
const pushesFor: Micros = 60 * microsPerSecond;

/** During a backlog of at least so many late records, the pause between flushes is multiplied by this factor: the records are late anyway. */
const backlog = { records: 1_000, pauses: 20 };

/** Once so many bytes are waiting, a flush is due. */
const largeBytes = 4 * 1024 * 1024;

type Folded = Pick<DeliveredRecord, 'headers' | 'timestamp' | 'bytes' | 'attached'>;

export class FlushPace {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #mostMs: Millis;
  /** When the last flush began, by the clock of durations, and how long it took. */
  #beganAt: Micros = Number.NEGATIVE_INFINITY;
  #took: Micros = 0;
  /** When the newest folded record was appended. */
  #appendedAt: Micros = 0;
  readonly #pushing = new ActiveKeys(pushesFor);
  /** Bytes of each source in the last flush, and of those folded since. */
  #flushed = new BytesOfSources();
  #waiting = new BytesOfSources();

  /** `mostMs`: after so long from the beginning of one flush, the next is due, however long the first took. */
  constructor(clock: Pick<Clock, 'now' | 'elapsed'>, mostMs: Millis) {
    this.#clock = clock;
    this.#mostMs = mostMs;
  }

  folded(records: readonly Folded[]): void {
    this.#appendedAt = records.at(-1)?.timestamp ?? this.#appendedAt;
    for (const record of records) this.#waiting.add(record);
    const now = this.#elapsed();
    for (const source of this.#waiting.sources) this.#pushing.note(source, now);
  }

  /** Calls `flush` with the time, and measures how long it takes. */
  async flushing(flush: (began: Micros) => Promise<void>): Promise<void> {
    this.#beganAt = this.#elapsed();
    [this.#flushed, this.#waiting] = [this.#waiting, new BytesOfSources()];
    await flush(this.#clock.now());
    this.#took = this.#elapsed() - this.#beganAt;
  }

  /** Whether so much is waiting that the next flush should not grow further. `weight`: bytes that wait beside the records. */
  isLarge(weight: number): boolean {
    return this.#waiting.all + weight >= largeBytes;
  }

  /** Time until the next flush is due, with `left` records still to read. */
  pauseMs(left: number, weight: number): Millis {
    if (this.isLarge(weight)) return 0;
    const backlogMs = this.#mostMs * backlog.pauses;
    const isLate = (this.#clock.now() - this.#appendedAt) / 1_000 > backlogMs;
    const distanceMs = isLate && left >= backlog.records ? backlogMs : this.#inProportion();
    const sinceMs = (this.#elapsed() - this.#beganAt) / 1_000;
    // Below 0: a clock that has no other one for durations has stepped back.
    return sinceMs < 0 ? 0 : Math.max(0, distanceMs - sinceMs);
  }

  #inProportion(): Millis {
    const shares = this.#waiting.sources.map((source) => this.#flushed.shareOf(source)).toArray();
    if (shares.includes(0)) return 0;
    const isAlone = this.#pushing.isAlone(this.#elapsed());
    const hadLittle = shares.some((share) => share < littleOf);
    const times = timesOfFlush[isAlone ? 'alone' : hadLittle ? 'little' : 'beside'];
    return Math.min(this.#mostMs, (this.#took * times) / 1_000);
  }

  #elapsed(): Micros {
    return this.#clock.elapsed?.() ?? this.#clock.now();
  }
}

/** The bytes of records and of the objects they refer to, by the source of the record. */
class BytesOfSources {
  readonly #bytes = new Map<string, number>();
  all = 0;

  get sources(): IteratorObject<string> {
    return this.#bytes.keys();
  }

  add(record: Folded): void {
    const bytes = sizeOf(record);
    this.all += bytes;
    const { source } = record.headers;
    if (source !== undefined) this.#bytes.set(source, (this.#bytes.get(source) ?? 0) + bytes);
  }

  /** The bytes of the source, as a part of what it would have if all sources had the same. */
  shareOf(source: string): number {
    return ((this.#bytes.get(source) ?? 0) * this.#bytes.size) / Math.max(1, this.all);
  }
}
