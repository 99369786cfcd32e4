// What each feed key may send a second (docs/operations.md#push-gateway), counted over all gateways that share a count. Keys share nothing:
// what one sends changes no answer to another.
import type { Amounts, FeedLimits, ShareAnswer } from '../access/token-bucket.ts';

export interface FeedShares {
  readonly limits: FeedLimits;
  /**
   * Takes all of `amounts` of the key's share, or nothing. At once where memory suffices. Never rejects: where the shared count cannot be
   * reached, this process gives its part of the share.
   */
  take(keyId: string, amounts: Amounts): ShareAnswer | Promise<ShareAnswer>;
  /** Takes what is there or not: of work that was done for the key. */
  spend(keyId: string, amounts: Amounts): void | Promise<void>;
  /** Whether it decides by itself because the shared count cannot be reached. */
  degraded(): boolean;
  close(): Promise<void>;
}
