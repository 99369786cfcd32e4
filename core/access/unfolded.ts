// What of each feed key is in one partition of the log and not folded yet, and who may add to it (docs/operations.md#turns-at-the-log). A log is folded
// in its order: what one key appends makes all wait who come behind it. So each key has a part of its own that it may always have there, and
// what keys have beyond theirs is within a window, which follows how late the partition is folded. Times are of a clock that does not go back.
import type { Millis } from '../units.ts';

/** How much folding a record takes: about as many quotes. */
export type Cost = number;

/** What a key may always have in a partition: some milliseconds of folding. */
export const ownPart: Cost = 1_000;

export const windows = { first: 4_000, least: 1_000, most: 200_000 } as const;

/** By how much those beyond their own part may make a partition later than it is at its best; what is never, and always, late. */
export const lateness = { more: 100, never: 160, always: 1_000 } as const;

/** Where nothing was folded for so long the projectors are away: the log is there to take what is pushed meanwhile. */
export const stalledMs: Millis = 5_000;

/** For how long a partition remembers how early it was folded: once over, and once more. */
const bestKeptMs: Millis = 30_000;

/** Appends of a key that are remembered one by one. */
const mostRuns = 64;

/** Appends of a key: folded when the partition is folded up to the offset `through`. */
type Run = { cost: Cost; through: number; at: Millis };
type OfKey = { cost: Cost; runs: Run[] };

export class Unfolded {
  readonly #keys = new Map<string, OfKey>();
  /** What the keys have beyond their own parts. */
  #beyond: Cost = 0;
  #window: Cost = windows.first;
  #wasFull = false;
  #nextOffset = 0;
  /** When the partition was last seen to go on, or to have nothing to do. */
  #movedAt: Millis = Number.NEGATIVE_INFINITY;
  #narrowedAt: Millis = Number.NEGATIVE_INFINITY;
  #best = { now: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY, since: Number.NEGATIVE_INFINITY };

  get window(): Cost {
    return this.#window;
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** Whether the key may append a record of this cost now. Where none has more than its part, one record goes, however large. */
  admits(key: string, cost: Cost, now: Millis): boolean {
    const had = this.#keys.get(key)?.cost ?? 0;
    const more = beyondOwn(had + cost) - beyondOwn(had);
    if (more === 0 || this.#beyond === 0 || this.#beyond + more <= this.#window) return true;
    if (now - this.#movedAt > stalledMs) return true;
    this.#wasFull = true;
    return false;
  }

  /** The key begins to append so much. */
  begin(key: string, cost: Cost, now: Millis): void {
    if (this.isEmpty) this.#movedAt = now;
    const ofKey = this.#keys.get(key) ?? { cost: 0, runs: [] };
    this.#keys.set(key, ofKey);
    this.#add(ofKey, cost);
  }

  /** What was begun is in the log, below the offset `through`. */
  appended(key: string, cost: Cost, through: number, now: Millis): void {
    const { runs } = this.#keys.get(key) as OfKey;
    const last = runs.at(-1);
    if (last === undefined || runs.length < mostRuns) runs.push({ cost, through, at: now });
    else {
      last.cost += cost;
      last.through = Math.max(last.through, through);
    }
  }

  /** What was begun is not in the log, or may not be. */
  failed(key: string, cost: Cost): void {
    this.#release(key, cost);
  }

  /** The partition is folded up to `nextOffset`. */
  folded(nextOffset: number, now: Millis): void {
    if (nextOffset > this.#nextOffset) this.#movedAt = now;
    this.#nextOffset = nextOffset;
    let oldest = now;
    for (const [key, { runs }] of this.#keys) {
      // Appends that are under way at once may be told in another order than they have in the log.
      for (const run of runs.filter(({ through }) => through <= nextOffset)) {
        oldest = Math.min(oldest, run.at);
        runs.splice(runs.indexOf(run), 1);
        this.#release(key, run.cost);
      }
    }
    if (oldest < now) this.#follow(oldest, now);
  }

  /** Fits the window to how late the oldest of what was folded came: once for all that was appended before it was narrowed. */
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
