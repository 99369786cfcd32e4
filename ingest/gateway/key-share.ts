// What one request takes of its key's share and of its quotas (docs/operations.md#feed-key-limits). Of the share: itself and the bytes that it
// announces before a byte of its body is read, the rest of its bytes once they are inflated, its elements once they are counted. What is inflated is
// paid for also where the push is then refused: the work was done. Of the quotas of the day (docs/operations.md#feed-key-quotas): what it leaves
// behind, once that is kept. What is refused of it is counted.
import { type FeedQuotas, isWithin, nextUtcDay, partWithin, utcDayOf } from '../../core/access/feed-quotas.ts';
import type { CountedQuota } from '../../core/access/feed-use.ts';
import {
  bucketSeconds,
  type FeedLimits,
  type ShareAmounts,
  type ShareAnswer,
  type ShareName,
} from '../../core/access/token-bucket.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { UsedName } from '../../core/ports/catalog/feed-use.ts';
import type { Founder } from '../../core/ports/catalog/games.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { FeedUses } from './feed-use.ts';
import { comeBackAfter, type GatewayRefusal } from './gateway-refusal.ts';

/** What a push leaves behind, of its key's quotas. */
export type PushUse = {
  /** Counts what is refused, and answers its dead letters that are kept: the first ones, as many as the key's quota has left. */
  deadLettersToKeep(deadLetters: readonly DeadLetter[]): readonly DeadLetter[];
  /** As whose the games count that the push founds. */
  founder(source: string): Founder;
  /** Something of the push is kept, so many dead letters among it, whatever becomes of the rest: these are used, and the bytes of its body. */
  kept(deadLetters: number): void;
};

export type RequestShare = PushUse & {
  /** Before the body is read; null where it is within the share. @throws CatalogUnavailable where what the key has used today cannot be read. */
  begin(announcedBytes: number): Promise<GatewayRefusal | null>;
  /** The body has so many bytes, inflated; null where they are within the share. */
  inflated(bytes: number): Promise<GatewayRefusal | null>;
  /** The push has so many elements; null where they are within the share. */
  elements(count: number): Promise<GatewayRefusal | null>;
  /** How many dead letters were not kept. */
  readonly lettersNotKept: number;
  /** The request is refused. */
  refused(refusal: GatewayRefusal): void;
  /** The request has come to its end. */
  end(): void;
};

/** Of what no key sends. */
export const noUse: PushUse = {
  deadLettersToKeep: (deadLetters) => deadLetters,
  founder: (source) => ({ source, key: null }),
  kept() {},
};

/** Of requests without a key. */
export const noShare: RequestShare = {
  ...noUse,
  begin: async () => null,
  inflated: async () => null,
  elements: async () => null,
  lettersNotKept: 0,
  refused() {},
  end() {},
};

export type ShareTools = { shares: FeedShares };
type Tools = ShareTools & { uses: FeedUses; clock: Clock };

/** The share of a request, which is counted. */
export function shareOfRequest(tools: Tools, keyId: string): RequestShare {
  const { shares, uses } = tools;
  const { table, quotas } = uses;
  const now = tools.clock.now();
  const day = utcDayOf(now);
  const held = { bytes: 0, letters: 0 };
  let paid = 0;
  let lettersNotKept = 0;
  const used = (name: UsedName, amount: number): void => table.count(keyId, day, 'used', name, amount);
  const refused = (name: string, amount: number): void => table.count(keyId, day, 'refused', name, amount);
  const hold = (quota: CountedQuota, amount: number): void => {
    held[quota] += amount;
    table.hold(keyId, day, quota, amount);
  };
  const take = async (amounts: ShareAmounts): Promise<Beyond | null> => {
    const answer = await shares.take(keyId, amounts);
    return answer.kind === 'taken' ? null : answer;
  };
  /** The refusal where the push would leave behind more than the key may today. */
  const refusalOfDay = (bytes: number): GatewayRefusal | null => {
    const before = table.used(keyId, day, 'bytes') - held.bytes;
    return isWithin(quotas.bytes, before, bytes) ? null : beyondQuota(quotas, before, bytes, now);
  };
  used('requests', 1);
  uses.writeSoon();
  return {
    async begin(announcedBytes) {
      const beyond = await take({ requests: 1, bytes: announcedBytes });
      if (beyond !== null) return beyondLimit(beyond, shares.limits);
      paid = announcedBytes;
      await uses.known(keyId, day);
      return announcedBytes > 0 ? refusalOfDay(announcedBytes) : null;
    },
    async inflated(bytes) {
      const more = bytes - paid;
      if (more > 0) {
        paid = bytes;
        const beyond = await take({ bytes: more });
        if (beyond !== null) {
          await shares.spend(keyId, { bytes: more });
          return beyondLimit(
            { ...beyond, waitMs: beyond.waitMs + (more * 1_000) / shares.limits.bytes },
            shares.limits,
          );
        }
      }
      const refusal = refusalOfDay(bytes);
      if (refusal === null) hold('bytes', bytes - held.bytes);
      return refusal;
    },
    async elements(count) {
      const beyond = count === 0 ? null : await take({ elements: count });
      if (beyond !== null) return beyondLimit(beyond, shares.limits);
      used('elements', count);
      return null;
    },
    deadLettersToKeep(deadLetters) {
      for (const [code, count] of countsOf(deadLetters)) refused(code, count);
      const kept = partWithin(quotas.letters, table.used(keyId, day, 'letters'), deadLetters.length);
      hold('letters', kept);
      lettersNotKept += deadLetters.length - kept;
      refused('quota-letters', deadLetters.length - kept);
      return kept === deadLetters.length ? deadLetters : deadLetters.slice(0, kept);
    },
    founder: (source) => ({ source, key: { id: keyId, most: quotas.games } }),
    get lettersNotKept() {
      return lettersNotKept;
    },
    kept(deadLetters) {
      for (const [quota, amount] of [['bytes', held.bytes] as const, ['letters', deadLetters] as const]) {
        used(quota, amount);
        hold(quota, -amount);
      }
    },
    refused({ limit, refused: type }) {
      refused(limit ?? type, 1);
      uses.writeSoon();
    },
    end() {
      for (const quota of ['bytes', 'letters'] as const) hold(quota, -held[quota]);
      uses.writeSoon();
    },
  };
}

function countsOf(deadLetters: readonly DeadLetter[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of deadLetters) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

const units: Readonly<Record<ShareName, string>> = {
  requests: 'requests',
  bytes: 'bytes of bodies, inflated,',
  elements: 'elements',
};

type Beyond = Extract<ShareAnswer, { kind: 'refused' }>;

function beyondLimit({ of, waitMs }: Beyond, limits: FeedLimits): GatewayRefusal {
  const limit = limits[of];
  return comeBackAfter(
    waitMs / 1_000,
    'rate-limited',
    `The key may send ${limit} ${units[of]} a second, and ${limit * bucketSeconds} at once (SDS_FEED_LIMITS). Nothing was accepted; send it again after the seconds of Retry-After.`,
    { limit: `limit-${of}` },
  );
}

function beyondQuota({ bytes: most }: FeedQuotas, used: number, more: number, now: Micros): GatewayRefusal {
  const { at, seconds } = nextUtcDay(now);
  const resets = formatMicros(at);
  return comeBackAfter(
    seconds,
    'rate-limited',
    `The key may push ${most} bytes of bodies, inflated, on a UTC day (SDS_FEED_QUOTAS); it has pushed ${used}, and this push has ${more} or more. Nothing was accepted; the quota begins anew at ${resets}.`,
    { limit: 'quota-bytes', members: { quota: 'bytes', most, used, resets } },
  );
}
