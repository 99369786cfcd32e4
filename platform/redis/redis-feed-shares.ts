// The shares of feed keys, counted in Redis over all gateways with one Redis call per request. This process also counts what it granted
// itself. With that count it refuses whatever exceeds the share, even after Redis has lost its data, and grants this gateway's part of the
// share while Redis is unreachable. The next call to Redis reports what was granted meanwhile.
import { BucketTable } from '../../core/limits/bucket-table.ts';
import {
  capacityOf,
  type FeedLimits,
  type ShareAmounts,
  type ShareAnswer,
  type ShareName,
  shareNames,
} from '../../core/limits/token-bucket.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { TlsFiles } from '../links/tls-files.ts';
import { monotonicMs } from '../process/clock.ts';
import { newProcessTag } from '../process/ids.ts';
import { openRedisMember, type RedisMember, scriptOf } from './redis-member.ts';
import { bucketScript } from './scripts.ts';

/** Opens at once, whether Redis answers or not. Services with different `prefix`es can share a Redis without sharing a count. */
export function openRedisFeedShares(options: {
  url: string;
  tls?: TlsFiles | null;
  limits: FeedLimits;
  log: Log;
  prefix?: string;
  /** How many gateways there are, including this one, while Redis cannot say. */
  countInstances(): Promise<number>;
}): FeedShares {
  const prefix = options.prefix ?? 'sds:feed';
  const member = openRedisMember({ ...options, prefix, counted: 'pushes', instanceId: newProcessTag() });
  return openSharedFeedShares({ member, prefix, limits: options.limits, now: monotonicMs });
}

/** Beyond this many keys, grants made alone are not reported: buckets refill soon anyway. */
const mostUnreported = 10_000;

function openSharedFeedShares(options: {
  member: RedisMember;
  prefix: string;
  limits: FeedLimits;
  now(): Millis;
}): FeedShares {
  const { member, prefix, limits, now } = options;
  const own = new BucketTable(limits);
  const unreported = new Map<string, ShareAmounts>();

  function reportLater(keyId: string, amounts: ShareAmounts): void {
    const before = unreported.get(keyId);
    if (before !== undefined || unreported.size < mostUnreported) unreported.set(keyId, sumOf(before ?? {}, amounts));
  }

  function alone(keyId: string, amounts: ShareAmounts): ShareAnswer {
    const answer = own.take(keyId, amounts, now(), partOf(limits, member.instances()));
    if (answer.kind === 'taken') reportLater(keyId, amounts);
    return answer;
  }

  async function together(keyId: string, amounts: ShareAmounts): Promise<ShareAnswer> {
    const spent = unreported.get(keyId) ?? {};
    unreported.delete(keyId);
    try {
      const args = shareNames.flatMap((name) => [
        limits[name],
        capacityOf(limits[name]),
        amounts[name] ?? 0,
        spent[name] ?? 0,
      ]);
      const [refused, micros] = (await member.ask(bucketsOf, [`${prefix}:share:{${keyId}}`], args)) as Reply;
      if (refused === 0) return { kind: 'taken' };
      own.spend(keyId, negative(amounts), now());
      return { kind: 'refused', of: shareNames[refused - 1] as ShareName, waitMs: micros / 1_000 };
    } catch {
      // Redis may have counted all of this already. It is then counted twice, but never lost.
      reportLater(keyId, spent);
      own.spend(keyId, negative(amounts), now());
      return alone(keyId, amounts);
    }
  }

  return {
    limits,
    take(keyId, amounts) {
      if (!member.ready()) return alone(keyId, amounts);
      const mine = own.take(keyId, amounts, now());
      return mine.kind === 'refused' ? mine : together(keyId, amounts);
    },
    spend(keyId, amounts) {
      own.spend(keyId, amounts, now());
      reportLater(keyId, amounts);
    },
    degraded: () => !member.ready(),
    close: () => member.close(),
  };
}

type Reply = readonly [refused: number, micros: number];

const bucketsOf = scriptOf(bucketScript);

function partOf(limits: FeedLimits, instances: number): FeedLimits {
  const part = (limit: number): number => limit / Math.max(1, instances);
  return { requests: part(limits.requests), bytes: part(limits.bytes), elements: part(limits.elements) };
}

function sumOf(one: ShareAmounts, other: ShareAmounts): ShareAmounts {
  return Object.fromEntries(shareNames.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

function negative(amounts: ShareAmounts): ShareAmounts {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, -amount]));
}
