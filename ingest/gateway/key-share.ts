// What one request takes of its key's share (docs/operations.md#push-gateway): itself and the bytes that it announces before a byte of its
// body is read, the rest of its bytes once they are inflated, its elements once they are counted. What is inflated is paid for also where the
// push is then refused: the work was done.
import {
  type Amounts,
  bucketSeconds,
  type FeedLimits,
  type ShareAnswer,
  type ShareName,
} from '../../core/access/token-bucket.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import { comeBackAfter, type Problem } from './problem.ts';

export type RequestShare = {
  /** Before the body is read. @throws Problem `rate-limited`. */
  begin(announcedBytes: number): Promise<void>;
  /** The body has so many bytes, inflated. @throws Problem `rate-limited`. */
  inflated(bytes: number): Promise<void>;
  /** The push has so many elements; null where they are within the share. */
  elements(count: number): Promise<Problem | null>;
};

/** Of requests without a key, and of what is no request. */
export const noShare: RequestShare = {
  async begin() {},
  async inflated() {},
  elements: async () => null,
};

export type ShareTools = { shares: FeedShares };

export function shareOfRequest({ shares }: ShareTools, keyId: string): RequestShare {
  let paid = 0;
  const take = async (amounts: Amounts): Promise<Beyond | null> => {
    const answer = await shares.take(keyId, amounts);
    return answer.kind === 'taken' ? null : answer;
  };
  return {
    async begin(announcedBytes) {
      const beyond = await take({ requests: 1, bytes: announcedBytes });
      if (beyond !== null) throw problemOf(beyond, shares.limits);
      paid = announcedBytes;
    },
    async inflated(bytes) {
      const more = bytes - paid;
      if (more <= 0) return;
      paid = bytes;
      const beyond = await take({ bytes: more });
      if (beyond === null) return;
      await shares.spend(keyId, { bytes: more });
      throw problemOf({ ...beyond, waitMs: beyond.waitMs + (more * 1_000) / shares.limits.bytes }, shares.limits);
    },
    async elements(count) {
      const beyond = count === 0 ? null : await take({ elements: count });
      return beyond === null ? null : problemOf(beyond, shares.limits);
    },
  };
}

const units: Readonly<Record<ShareName, string>> = {
  requests: 'requests',
  bytes: 'bytes of bodies, inflated,',
  elements: 'elements',
};

type Beyond = Extract<ShareAnswer, { kind: 'refused' }>;

function problemOf({ of, waitMs }: Beyond, limits: FeedLimits): Problem {
  const limit = limits[of];
  return comeBackAfter(
    waitMs / 1_000,
    'rate-limited',
    `The key may send ${limit} ${units[of]} a second, and ${limit * bucketSeconds} at once (SDS_FEED_LIMITS). Nothing was accepted; send it again after the seconds of Retry-After.`,
  );
}
