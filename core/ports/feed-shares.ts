// What each feed key may send per second (docs/operations.md#push-gateway), counted over all gateways that share a count. Keys are
// independent of each other.
import type { FeedLimits, ShareAmounts, ShareAnswer } from '../limits/token-bucket.ts';

export interface FeedShares {
  readonly limits: FeedLimits;
  /**
   * Takes all of `amounts` from the key's share, or nothing. Answers synchronously from memory where it can. Never rejects: while the
   * shared count is unreachable, this process grants its own part of the share.
   */
  take(keyId: string, amounts: ShareAmounts): ShareAnswer | Promise<ShareAnswer>;
  /** Charges work already done for the key, even beyond its share. */
  spend(keyId: string, amounts: ShareAmounts): void | Promise<void>;
  /** Whether the shared count is unreachable and this process decides alone. */
  degraded(): boolean;
  close(): Promise<void>;
}
