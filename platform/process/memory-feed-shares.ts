// Feed-key shares counted in this process alone: exact, immediate, and lost when the process ends.
import { BucketTable } from '../../core/limits/bucket-table.ts';
import type { FeedLimits } from '../../core/limits/token-bucket.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs } from './clock.ts';

/** `now` must be monotonic. */
export function openMemoryFeedShares(limits: FeedLimits, now: () => Millis = monotonicMs): FeedShares {
  const buckets = new BucketTable(limits);
  return {
    limits,
    take: (keyId, amounts) => buckets.take(keyId, amounts, now()),
    spend: (keyId, amounts) => buckets.spend(keyId, amounts, now()),
    degraded: () => false,
    close: async () => {},
  };
}
