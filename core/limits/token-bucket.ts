// The rate limits of a feed key (docs/operations.md#push-gateway): a token bucket for each thing that it sends per second. A bucket holds
// ten seconds of its rate. A push larger than the bucket waits until the bucket is full and then puts it into debt: it is possible, and
// costs no more than many small ones. Times are from a monotonic clock; a clock that goes back refills nothing.
import type { Millis } from '../units.ts';

export const shareNames = ['requests', 'bytes', 'elements'] as const;
export type ShareName = (typeof shareNames)[number];

/** How many of each a key may send per second. Bytes are the inflated bytes of bodies. */
export type FeedLimits = Readonly<Record<ShareName, number>>;
export type ShareAmounts = Readonly<Partial<Record<ShareName, number>>>;

export const defaultFeedLimits: FeedLimits = { requests: 200, bytes: 64 * 1024 * 1024, elements: 50_000 };

export const bucketSeconds = 10;

export type ShareAnswer =
  | { kind: 'taken' }
  /** Nothing was taken. After `waitMs` it can be, unless another push of the key takes tokens first. */
  | { kind: 'refused'; of: ShareName; waitMs: Millis };

const taken: ShareAnswer = { kind: 'taken' };

/** The buckets of one key. */
export class TokenBuckets {
  readonly #levels: Record<ShareName, number>;
  #at: Millis;

  /** The buckets start full. */
  constructor(limits: FeedLimits, now: Millis) {
    this.#levels = {
      requests: capacityOf(limits.requests),
      bytes: capacityOf(limits.bytes),
      elements: capacityOf(limits.elements),
    };
    this.#at = now;
  }

  /** Takes all of `amounts` or nothing. */
  take(limits: FeedLimits, amounts: ShareAmounts, now: Millis): ShareAnswer {
    this.#refill(limits, now);
    let refused: ShareAnswer = taken;
    for (const of of shareNames) {
      const waitMs = (missing(limits[of], amounts[of] ?? 0, this.#levels[of]) * 1_000) / limits[of];
      if (waitMs > (refused.kind === 'refused' ? refused.waitMs : 0)) refused = { kind: 'refused', of, waitMs };
    }
    if (refused.kind === 'taken') this.#subtract(amounts);
    return refused;
  }

  /** Takes `amounts` even if they are not there: the work is already done. */
  spend(limits: FeedLimits, amounts: ShareAmounts, now: Millis): void {
    this.#refill(limits, now);
    this.#subtract(amounts);
  }

  /** Whether the buckets are full, and so no different from new ones. */
  isFull(limits: FeedLimits, now: Millis): boolean {
    this.#refill(limits, now);
    return shareNames.every((name) => this.#levels[name] >= capacityOf(limits[name]));
  }

  #refill(limits: FeedLimits, now: Millis): void {
    const seconds = Math.max(0, now - this.#at) / 1_000;
    this.#at = Math.max(now, this.#at);
    for (const name of shareNames)
      this.#levels[name] = Math.min(capacityOf(limits[name]), this.#levels[name] + limits[name] * seconds);
  }

  #subtract(amounts: ShareAmounts): void {
    for (const name of shareNames) this.#levels[name] -= amounts[name] ?? 0;
  }
}

/** How much a bucket of this rate holds. */
export function capacityOf(rate: number): number {
  return rate * bucketSeconds;
}

/** Tokens missing to give `amount`. A full bucket gives even more than it holds. */
function missing(rate: number, amount: number, level: number): number {
  return amount === 0 ? 0 : Math.max(0, Math.min(amount, capacityOf(rate)) - level);
}
