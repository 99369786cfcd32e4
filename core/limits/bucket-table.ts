// The token buckets of all keys that this process has seen. Full buckets are dropped, so memory is bounded by the keys that are sending.
import type { Millis } from '../units.ts';
import { bucketSeconds, type FeedLimits, type ShareAmounts, type ShareAnswer, TokenBuckets } from './token-bucket.ts';

const sweepEvery: Millis = bucketSeconds * 1_000;

export class BucketTable {
  readonly #limits: FeedLimits;
  readonly #buckets = new Map<string, TokenBuckets>();
  #sweptAt: Millis = 0;

  constructor(limits: FeedLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** `limits`: those in force now, if they differ from the table's. */
  take(key: string, amounts: ShareAmounts, now: Millis, limits = this.#limits): ShareAnswer {
    return this.#of(key, now).take(limits, amounts, now);
  }

  spend(key: string, amounts: ShareAmounts, now: Millis): void {
    this.#of(key, now).spend(this.#limits, amounts, now);
  }

  #of(key: string, now: Millis): TokenBuckets {
    if (now - this.#sweptAt >= sweepEvery) this.#sweep(now);
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const made = new TokenBuckets(this.#limits, now);
    this.#buckets.set(key, made);
    return made;
  }

  #sweep(now: Millis): void {
    this.#sweptAt = now;
    for (const [key, buckets] of this.#buckets) if (buckets.isFull(this.#limits, now)) this.#buckets.delete(key);
  }
}
