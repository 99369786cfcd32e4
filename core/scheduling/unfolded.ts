// What each feed key has appended to one partition of the log that is not folded yet, and whether it may append more
// (docs/operations.md#turns-at-the-log). A log is folded in order, so one key's appends delay all later ones. Each key therefore has a
// share that it may always use; what all keys append beyond their shares is limited by a window, which adapts to how late the partition is
// folded. Times are from a monotonic clock.
import type { Millis } from '../units.ts';

/** The work of folding a record; roughly its number of quotes. */
export type Cost = number;

/** What a key may always have unfolded in a partition: some milliseconds of folding. */
export const ownPart: Cost = 1_000;

export const windows = { first: 4_000, least: 1_000, most: 200_000 } as const;

/**
 * In milliseconds. A partition is late when folding takes `more` longer than at its best; never late below `never`, always late above
 * `always`.
 */
export const lateness = { more: 100, never: 160, always: 1_000 } as const;

/** If nothing was folded for this long, the projectors are down; the log then takes whatever is pushed. */
export const stalledMs: Millis = 5_000;

/** How long a partition remembers its best folding time: one such period, and the one before. */
const bestKeptMs: Millis = 30_000;

/** Appends of a key that are remembered one by one. */
const mostRuns = 64;

/** Appends of a key; folded once the partition is folded up to the offset `through`. */
type Run = { cost: Cost; through: number; at: Millis };
type OfKey = { cost: Cost; runs: Run[] };

export class Unfolded {
  readonly #keys = new Map<string, OfKey>();
  /** What the keys have unfolded beyond their own shares. */
  #beyond: Cost = 0;
  #window: Cost = windows.first;
  #wasFull = false;
  #nextOffset = 0;
  /** When the partition last advanced or had nothing to fold. */
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

  /** The key begins to append a record of this cost. */
  begin(key: string, cost: Cost, now: Millis): void {
    if (this.isEmpty) this.#movedAt = now;
    const ofKey = this.#keys.get(key) ?? { cost: 0, runs: [] };
    this.#keys.set(key, ofKey);
    this.#add(ofKey, cost);
  }

  /** The append succeeded: the record is in the log, below the offset `through`. */
  appended(key: string, cost: Cost, through: number, now: Millis): void {
    const { runs } = this.#keys.get(key) as OfKey;
    const last = runs.at(-1);
    if (last === undefined || runs.length < mostRuns) runs.push({ cost, through, at: now });
    else {
      last.cost += cost;
      last.through = Math.max(last.through, through);
    }
  }

  /** The append failed, or may have failed. */
  failed(key: string, cost: Cost): void {
    this.#release(key, cost);
  }

  /** The partition is folded up to `nextOffset`. */
  folded(nextOffset: number, now: Millis): void {
    if (nextOffset > this.#nextOffset) this.#movedAt = now;
    this.#nextOffset = nextOffset;
    let oldest = now;
    for (const [key, { runs }] of this.#keys) {
      // Concurrent appends may be reported in another order than they have in the log.
      for (const run of runs.filter(({ through }) => through <= nextOffset)) {
        oldest = Math.min(oldest, run.at);
        runs.splice(runs.indexOf(run), 1);
        this.#release(key, run.cost);
      }
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

  #release(key: string, cost: Cost): void {
    const ofKey = this.#keys.get(key) as OfKey;
    this.#add(ofKey, -cost);
    if (ofKey.cost === 0) this.#keys.delete(key);
  }
}

function beyondOwn(cost: Cost): Cost {
  return Math.max(0, cost - ownPart);
}
