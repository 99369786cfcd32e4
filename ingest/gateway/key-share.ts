// What one request takes from its key's share and quotas (docs/operations.md#feed-key-limits). From the share: the request and its
// announced bytes before the body is read, the rest of its bytes once they are inflated, its elements once they are counted. Inflated bytes
// are charged even if the push is then refused, because the work was done. From the daily quotas (docs/operations.md#feed-key-quotas): what
// the push leaves behind, once it is kept. Refusals are counted too.
import { type FeedQuotas, isWithin, nextUtcDay, partWithin, utcDayOf } from '../../core/limits/feed-quotas.ts';
import type { CountedQuota } from '../../core/limits/feed-use.ts';
import {
  bucketSeconds,
  type FeedLimits,
  type ShareAmounts,
  type ShareAnswer,
  type ShareName,
} from '../../core/limits/token-bucket.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { UsedName } from '../../core/ports/catalog/feed-use.ts';
import type { Founder } from '../../core/ports/catalog/games.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { FeedUses } from './feed-use.ts';
import { comeBackAfter, type GatewayRefusal } from './gateway-refusal.ts';

/** What a push takes from its key's quotas. */
export type PushUse = {
  /** Counts refusals, and returns the dead letters to keep: the first ones, as many as the key's quota has left. */
  deadLettersToKeep(deadLetters: readonly DeadLetter[]): readonly DeadLetter[];
  /** The founder to which the games founded by the push are charged. */
  founder(source: string): Founder;
  /** Something of the push is kept, with this many dead letters: charges them and the bytes of its body, whatever happens to the rest. */
  kept(deadLetters: number): void;
};

export type RequestShare = PushUse & {
  /**
   * Before the body is read; null if the request is within the share. @throws CatalogUnavailable when today's use of the key cannot be
   * read.
   */
  begin(announcedBytes: number): Promise<GatewayRefusal | null>;
  /** The body has this many bytes inflated; null if they are within the share. */
  inflated(bytes: number): Promise<GatewayRefusal | null>;
  /** The push has this many elements; null if they are within the share. */
  elements(count: number): Promise<GatewayRefusal | null>;
  /** How many dead letters were not kept. */
  readonly lettersNotKept: number;
  /** The request is refused. */
  refused(refusal: GatewayRefusal): void;
  /** The request has ended. */
  end(): void;
};

/** For pushes without a key. */
export const noUse: PushUse = {
  deadLettersToKeep: (deadLetters) => deadLetters,
  founder: (source) => ({ source, key: null }),
  kept() {},
};

/** For requests without a key. */
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

/** The share of a request with a key. */
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
  /** The refusal if the push would exceed a quota of the key today. */
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
