// What a monitor learns of the flushes of a partition: how long one takes, how much it writes, and how fresh what it makes visible is.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { Meter } from '../../core/ports/meter.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';

/** A name that no source has: for those beyond the first, and for what direct producers call a source and is none. So series have an end. */
const others = '_other';
const mostSources = 100;

export class FlushMeasures {
  readonly #projector: string;
  readonly #meter: Meter;
  /** When the oldest record of each source was appended, of those that wait for a flush. */
  readonly #oldest = new Map<string, Micros>();
  readonly #known = new Set<string>();

  constructor(projector: string, meter: Meter) {
    this.#projector = projector;
    this.#meter = meter;
  }

  /** These records now wait for a flush. Ticks, and what the service itself tells, have no source. */
  folded(records: readonly DeliveredRecord[]): void {
    for (const { headers, timestamp } of records) {
      const { source = '' } = headers;
      if (source === '') continue;
      if (this.#known.size < mostSources && isSourceName(source)) this.#known.add(source);
      const name = this.#known.has(source) ? source : others;
      const oldest = this.#oldest.get(name);
      if (oldest === undefined || timestamp < oldest) this.#oldest.set(name, timestamp);
    }
  }

  /** They are committed. */
  flushed(seconds: number, bytes: number, now: Micros): void {
    const projector = this.#projector;
    this.#meter.observe('sds_flush_duration_seconds', { projector }, seconds);
    if (bytes > 0) this.#meter.observe('sds_flush_bytes', { projector }, bytes);
    for (const [source, appendedAt] of this.#oldest) {
      const age = Math.max(0, now - appendedAt) / microsPerSecond;
      this.#meter.observe('sds_freshness_seconds', { projector, source }, age);
    }
    this.#oldest.clear();
  }
}
