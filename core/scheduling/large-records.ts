// Admits large records to the log: at most one per key that is not folded yet, across all partitions, and the next one a while later
// (docs/operations.md#turns-at-the-log). One process folds many partitions, and a large image takes it a tenth of a second. Times are from
// a monotonic clock.
import type { Millis } from '../units.ts';
import { type Cost, stalledMs } from './unfolded.ts';

/** A record that costs more than this is large. */
export const largeCost: Cost = 2_000;

/** Once a large record is folded, its key's next one waits as long again as this one took, and at most this long. */
const longestRest: Millis = 500;

/** `through`: the record is folded once its partition is folded up to this offset; null while it is being appended. */
type Large = { partition: number; through: number | null; at: Millis };

/** The large records of one topic. */
export class LargeRecords {
  readonly #ofKeys = new Map<string, Large>();
  /** Until when keys rest behind their last large record. */
  readonly #restUntil = new Map<string, Millis>();
  readonly #offsets = new Map<number, number>();
  /** When a partition last advanced, or when no large record was in progress. */
  #movedAt: Millis = Number.NEGATIVE_INFINITY;

  /**
   * Whether the key may append a record of this cost. A large record that stays unfolded for too long no longer blocks others, nor does any
   * if no partition advances.
   */
  admits(key: string, cost: Cost, now: Millis): boolean {
    if (cost <= largeCost) return true;
    const other = this.#ofKeys.get(key);
    if (other === undefined) return now >= (this.#restUntil.get(key) ?? now);
    return now - other.at > stalledMs || now - this.#movedAt > stalledMs;
  }

  begin(key: string, partition: number, cost: Cost, now: Millis): void {
    if (cost <= largeCost) return;
    if (this.#ofKeys.size === 0) this.#movedAt = now;
    this.#ofKeys.set(key, { partition, through: null, at: now });
  }

  /** The key's large record is in the log, in this partition below the offset `through`. */
  appended(key: string, partition: number, through: number): void {
    const large = this.#ofKeys.get(key);
    if (large?.partition === partition) large.through ??= through;
  }

  /** The append of the key's large record to the partition failed, or may have failed. */
  failed(key: string, partition: number): void {
    const large = this.#ofKeys.get(key);
    if (large?.partition === partition && large.through === null) this.#ofKeys.delete(key);
  }

  /** The partitions are folded up to these offsets. */
  folded(offsets: ReadonlyMap<number, number>, now: Millis): void {
    for (const [partition, offset] of offsets) {
      if (offset > (this.#offsets.get(partition) ?? 0)) this.#movedAt = now;
      this.#offsets.set(partition, offset);
    }
    for (const [key, until] of this.#restUntil) if (until <= now) this.#restUntil.delete(key);
    for (const [key, { partition, through, at }] of this.#ofKeys) {
      if (through === null || through > (offsets.get(partition) ?? 0)) continue;
      this.#ofKeys.delete(key);
      this.#restUntil.set(key, now + Math.min(longestRest, now - at));
    }
  }
}
