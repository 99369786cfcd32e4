// What each feed key has appended to a topic that is not folded yet, and whether it may append more (docs/operations.md#turns-at-the-log). A
// partition is folded in order, and one process folds many partitions, so one key's appends delay those of all others. Each key therefore
// has a share that it may always use; what all keys append beyond their shares is limited by a window, which adapts to how late the topic
// is folded. Times are from a monotonic clock.
import type { Millis } from '../units.ts';

/** The work of folding a record; roughly its number of quotes. */
export type Cost = number;

/** What a key may always have unfolded: some milliseconds of folding. */
export const ownPart: Cost = 250;

export const windows = { first: 500, least: 250, most: 200_000 } as const;

/**
 * In milliseconds. A topic is late when folding takes `more` longer than at its best; never late below `never`, always late above
 * `always`.
 */
export const lateness = { more: 50, never: 80, always: 1_000 } as const;

/** A partition that has folded nothing for this long stands: its projector is away, so nothing counts that is appended to it. */
export const standsAfterMs: Millis = 1_000;

/** If no progress was seen for this long, whatever the reason, the log takes whatever is pushed. */
export const stalledMs: Millis = 5_000;

/** How long a topic remembers its best folding time: one such period, and the one before. */
const bestKeptMs: Millis = 30_000;

/** Appends of a key that are remembered one by one. */
const mostRuns = 64;

/** Appends of a key to a partition; folded once the partition is folded up to the offset `through`. */
type Run = { cost: Cost; through: number; at: Millis };
type OfKey = { cost: Cost; runs: Map<number, Run[]> };
/**
 * `movedAt`: when it last advanced or, unless it stands, had nothing to fold. `unfolded`: what all keys have begun to append to it and is
 * counted.
 */
type Progress = { nextOffset: number; movedAt: Millis; unfolded: Cost; stands: boolean };

export class Unfolded {
  readonly #keys = new Map<string, OfKey>();
  readonly #partitions = new Map<number, Progress>();
  /** What the keys have unfolded beyond their own shares. */
  #beyond: Cost = 0;
  #window: Cost = windows.first;
  #wasFull = false;
  /** When a partition last advanced, or nothing was to be folded. */
  #movedAt: Millis = Number.NEGATIVE_INFINITY;
  #narrowedAt: Millis = Number.NEGATIVE_INFINITY;
  #best = { now: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY, since: Number.NEGATIVE_INFINITY };

  get window(): Cost {
    return this.#window;
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** Whether the key may append a record of this cost now. While no key is beyond its share, one record is admitted whatever its cost. */
  admits(key: string, cost: Cost, now: Millis): boolean {
    const had = this.#keys.get(key)?.cost ?? 0;
    const more = beyondOwn(had + cost) - beyondOwn(had);
    if (more === 0 || this.#beyond === 0 || this.#beyond + more <= this.#window) return true;
    if (now - this.#movedAt > stalledMs) return true;
    this.#wasFull = true;
    return false;
  }

  /** The key begins to append a record of this cost to the partition. */
  begin(key: string, partition: number, cost: Cost, now: Millis): void {
    if (this.isEmpty) this.#movedAt = now;
    const progress = this.#progressOf(partition);
    if (progress.unfolded === 0 && !progress.stands) progress.movedAt = now;
    progress.unfolded += cost;
    const ofKey = this.#keys.get(key) ?? { cost: 0, runs: new Map<number, Run[]>() };
    this.#keys.set(key, ofKey);
    this.#add(ofKey, cost);
  }

  /** The append succeeded: the record is in the partition, below the offset `through`. */
  appended(key: string, partition: number, cost: Cost, through: number, now: Millis): void {
    const { runs: ofPartitions } = this.#keys.get(key) as OfKey;
    const runs = ofPartitions.get(partition) ?? [];
    ofPartitions.set(partition, runs);
    const last = runs.at(-1);
    if (last === undefined || runs.length < mostRuns) runs.push({ cost, through, at: now });
    else {
      last.cost += cost;
      last.through = Math.max(last.through, through);
    }
  }

  /** The append to the partition failed, or may have failed. */
  failed(key: string, partition: number, cost: Cost): void {
    this.#release(key, partition, cost);
  }

  /** The partitions are folded up to these offsets. */
  folded(offsets: ReadonlyMap<number, number>, now: Millis): void {
    for (const [partition, offset] of offsets) {
      const progress = this.#progressOf(partition);
      if (offset > progress.nextOffset) this.#movedAt = progress.movedAt = now;
      progress.nextOffset = offset;
    }
    for (const progress of this.#partitions.values())
      progress.stands = now - progress.movedAt > standsAfterMs && (progress.stands || progress.unfolded > 0);
    let oldest = now;
    for (const [key, { runs: ofPartitions }] of this.#keys)
      for (const [partition, runs] of ofPartitions) {
        const { nextOffset, stands } = this.#progressOf(partition);
        // Concurrent appends may be reported in another order than they have in the log.
        for (const run of runs.filter(({ through }) => stands || through <= nextOffset)) {
          if (!stands) oldest = Math.min(oldest, run.at);
          runs.splice(runs.indexOf(run), 1);
          this.#release(key, partition, run.cost);
        }
        if (runs.length === 0) ofPartitions.delete(partition);
      }
    if (oldest < now) this.#follow(oldest, now);
  }

  /**
   * Adapts the window to how late the oldest folded record was; narrows it at most once for records appended before it was last narrowed.
   */
  #follow(oldest: Millis, now: Millis): void {
    const took = now - oldest;
    if (now - this.#best.since > bestKeptMs) this.#best = { now: took, before: this.#best.now, since: now };
    const best = Math.min(took, this.#best.now, this.#best.before);
    this.#best.now = Math.min(took, this.#best.now);
    const late = Math.min(lateness.always, Math.max(lateness.never, best + lateness.more));
    if (took > late) {
      if (oldest < this.#narrowedAt) return;
      this.#narrowedAt = now;
      this.#window = Math.max(windows.least, this.#window * Math.max(0.5, late / took));
    } else if (this.#wasFull && took <= late - (late - best) / 4)
      this.#window = Math.min(windows.most, this.#window * 1.1);
    this.#wasFull = false;
  }

  #add(ofKey: OfKey, cost: Cost): void {
    const had = ofKey.cost;
    ofKey.cost += cost;
    this.#beyond += beyondOwn(ofKey.cost) - beyondOwn(had);
  }

  #release(key: string, partition: number, cost: Cost): void {
    this.#progressOf(partition).unfolded -= cost;
    const ofKey = this.#keys.get(key) as OfKey;
    this.#add(ofKey, -cost);
    if (ofKey.cost === 0) this.#keys.delete(key);
  }

  #progressOf(partition: number): Progress {
    const progress = this.#partitions.get(partition) ?? {
      nextOffset: 0,
      movedAt: Number.NEGATIVE_INFINITY,
      unfolded: 0,
      stands: false,
    };
    this.#partitions.set(partition, progress);
    return progress;
  }
}

function beyondOwn(cost: Cost): Cost {
  return Math.max(0, cost - ownPart);
}
