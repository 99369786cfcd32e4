// Which large records may be appended: of each key the log has one at a time that is not folded yet, whatever their partitions
// (docs/operations.md#turns-at-the-log). A process folds many partitions, and a large image takes it a tenth of a second. Times are of a clock
// that does not go back.
import type { Millis } from '../units.ts';
import { type Cost, stalledMs } from './unfolded.ts';

/** What costs more is large. */
export const largeCost: Cost = 2_000;

/** `through`: folded when its partition is folded up to there; null while it is being appended. */
type Large = { partition: number; through: number | null; at: Millis };

/** The large records of one topic. */
export class LargeRecords {
  readonly #ofKeys = new Map<string, Large>();
  readonly #offsets = new Map<number, number>();
  /** When a partition was last seen to go on, or no large record was under way. */
  #movedAt: Millis = Number.NEGATIVE_INFINITY;

  /** Whether the key may append a record of this cost. One that is not folded for long holds up no other, nor does any where nothing is folded. */
  admits(key: string, cost: Cost, now: Millis): boolean {
    const other = cost > largeCost ? this.#ofKeys.get(key) : undefined;
    return other === undefined || now - other.at > stalledMs || now - this.#movedAt > stalledMs;
  }

  begin(key: string, partition: number, cost: Cost, now: Millis): void {
    if (cost <= largeCost) return;
    if (this.#ofKeys.size === 0) this.#movedAt = now;
    this.#ofKeys.set(key, { partition, through: null, at: now });
  }

  /** What was begun of the key is in the log, in this partition below the offset `through`. */
  appended(key: string, partition: number, through: number): void {
    const large = this.#ofKeys.get(key);
    if (large?.partition === partition) large.through ??= through;
  }

  /** What was begun of the key in the partition is not in the log, or may not be. */
  failed(key: string, partition: number): void {
    const large = this.#ofKeys.get(key);
    if (large?.partition === partition && large.through === null) this.#ofKeys.delete(key);
  }

  /** Each partition is folded up to its offset. */
  folded(offsets: ReadonlyMap<number, number>, now: Millis): void {
    for (const [partition, offset] of offsets) {
      if (offset > (this.#offsets.get(partition) ?? 0)) this.#movedAt = now;
      this.#offsets.set(partition, offset);
    }
    for (const [key, { partition, through }] of this.#ofKeys)
      if (through !== null && through <= (offsets.get(partition) ?? 0)) this.#ofKeys.delete(key);
  }
}
