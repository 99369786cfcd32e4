// Shares of feed keys (docs/operations.md#push-gateway): what holds for those in memory and those in Redis, and what the latter do while it is
// away.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { FeedLimits, ShareAmounts, ShareAnswer } from '../../../core/limits/token-bucket.ts';
import type { FeedShares } from '../../../core/ports/feed-shares.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openMemoryFeedShares } from '../../../platform/process/memory-feed-shares.ts';
import { openRedisFeedShares } from '../../../platform/redis/redis-feed-shares.ts';
import { ownDelay } from '../../support/processes/own-time.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const redis = await services.redis();

/** Buckets of 10 requests, 1,000 bytes, 100 elements. */
const slow: FeedLimits = { requests: 1, bytes: 100, elements: 10 };

/** Asserts that the given amount, in seconds of the rate, is `expected`, plus at most what came back since `began`. */
function assertGiven(given: number, expected: number, began: number): void {
  const most = expected + Math.ceil((performance.now() - began) / 1_000);
  assert.ok(given >= expected && given <= most, `${given}, and not ${expected} to ${most}`);
}

/** Asserts a wait that was `most` at `began` and has been running down since. */
function assertWait(waitMs: number, most: number, began: number): void {
  const least = most - 10 - (performance.now() - began);
  assert.ok(waitMs > least && waitMs <= most + 10, `${waitMs}, and not ${least.toFixed(0)} to ${most}`);
}

async function openOnRedis(url: string, rates: FeedLimits, prefix = unique('shares')): Promise<FeedShares> {
  const shares = openRedisFeedShares({ url, limits: rates, log: silentLog, prefix, countInstances: async () => 1 });
  await until('it reaches Redis', () => !shares.degraded());
  return shares;
}

async function taken(
  shares: FeedShares,
  key: string,
  amounts: ShareAmounts,
  times: number,
  atOnce = 1,
): Promise<number> {
  let count = 0;
  for (let asked = 0; asked < times; asked += atOnce) {
    const answers = await Promise.all(Array.from({ length: atOnce }, async () => shares.take(key, amounts)));
    count += answers.filter(({ kind }) => kind === 'taken').length;
  }
  return count;
}

function refused(answer: ShareAnswer): Extract<ShareAnswer, { kind: 'refused' }> {
  assert.equal(answer.kind, 'refused');
  return answer as Extract<ShareAnswer, { kind: 'refused' }>;
}

/** Takes what has come back meanwhile until a request is refused. */
async function refusedAtLast(
  shares: FeedShares,
  key: string,
  amounts: ShareAmounts,
): Promise<Extract<ShareAnswer, { kind: 'refused' }>> {
  for (;;) {
    const answer = await shares.take(key, amounts);
    if (answer.kind === 'refused') return answer;
  }
}

function sharesContract(name: string, skip: string | false, open: (rates: FeedLimits) => Promise<FeedShares>): void {
  describe(`shares ${name}`, skipFor(skip), () => {
    let shares: FeedShares;
    beforeAll(async () => {
      shares = await open(slow);
    });
    afterAll(() => shares?.close());

    for (const atOnce of [1, 40])
      it(`give what a bucket holds, ${atOnce} at a time, and say when there is more`, async () => {
        const key = `holds ${atOnce}`;
        const began = performance.now();
        assertGiven(await taken(shares, key, { requests: 1 }, 40, atOnce), 10, began);
        const { of, waitMs } = await refusedAtLast(shares, key, { requests: 1 });
        assert.equal(of, 'requests');
        assert.ok(waitMs > 0 && waitMs <= 1_000, `${waitMs}`);
      });

    it('give all that is asked for or nothing, and name what has too little for longest', async () => {
      const began = performance.now();
      assert.equal((await shares.take('whole', { requests: 1, bytes: 900, elements: 10 })).kind, 'taken');
      const { of, waitMs } = refused(await shares.take('whole', { requests: 1, bytes: 300, elements: 90 }));
      assert.equal(of, 'bytes');
      assertWait(waitMs, 2_000, began);
      assert.equal((await shares.take('whole', { requests: 9, bytes: 100, elements: 90 })).kind, 'taken');
    });

    it('give a full bucket to what is larger, which is paid off afterwards', async () => {
      const began = performance.now();
      assert.equal((await shares.take('large', { elements: 250 })).kind, 'taken');
      const { of, waitMs } = refused(await shares.take('large', { elements: 1 }));
      assert.equal(of, 'elements');
      assertWait(waitMs, 15_100, began);
    });

    it('are spent by work that was done', async () => {
      const began = performance.now();
      await shares.spend('spent', { bytes: 1_500 });
      const { of, waitMs } = refused(await shares.take('spent', { bytes: 1 }));
      assert.equal(of, 'bytes');
      assertWait(waitMs, 5_010, began);
    });

    it('of one key are those of no other', async () => {
      assert.equal((await shares.take('flood', { requests: 10, bytes: 1_000, elements: 100 })).kind, 'taken');
      refused(await shares.take('flood', { requests: 10 }));
      assert.equal((await shares.take('honest', { requests: 10, bytes: 1_000, elements: 100 })).kind, 'taken');
    });

    it('come back with time', async () => {
      assert.equal((await shares.take('back', { bytes: 1_000 })).kind, 'taken');
      const { waitMs } = await refusedAtLast(shares, 'back', { bytes: 20 });
      await new Promise((resolve) => setTimeout(resolve, waitMs + 5));
      assert.equal((await shares.take('back', { bytes: 20 })).kind, 'taken');
    });
  });
}

sharesContract('in memory', false, async (rates) => openMemoryFeedShares(rates));
sharesContract('in Redis', redis.skip, (rates) => openOnRedis(redis.url, rates));

describe('shares of several gateways', skipFor(redis.skip), () => {
  it('are one share', async (t) => {
    const prefix = unique('shares');
    const gateways = await Promise.all([1, 2, 3].map(() => openOnRedis(redis.url, slow, prefix)));
    t.onTestFinished(async () => {
      await Promise.all(gateways.map((each) => each.close()));
    });
    const began = performance.now();
    const counts = await Promise.all(gateways.map((each) => taken(each, 'key', { bytes: 100 }, 20, 5)));
    assertGiven(
      counts.reduce((a, b) => a + b),
      10,
      began,
    );
  });

  it('are spent for all by one, from its next question on', async (t) => {
    const prefix = unique('shares');
    const [one, other] = await Promise.all([1, 2].map(() => openOnRedis(redis.url, slow, prefix)));
    assert.ok(one !== undefined && other !== undefined);
    t.onTestFinished(async () => {
      await Promise.all([one.close(), other.close()]);
    });
    await one.spend('key', { bytes: 2_000 });
    await one.take('key', { requests: 1 });
    assert.equal(refused(await other.take('key', { bytes: 1 })).of, 'bytes');
  });

  it('are kept no longer than they matter', async (t) => {
    const { Redis } = await import('ioredis');
    const client = new Redis(redis.url);
    t.onTestFinished(() => client.disconnect());
    const prefix = unique('shares');
    const shares = await openOnRedis(redis.url, slow, prefix);
    t.onTestFinished(() => shares.close());
    await shares.take('key', { requests: 10, bytes: 1_000, elements: 100 });
    for (const key of await client.keys(`${prefix}*`)) {
      const left = await client.pttl(key);
      assert.ok(left > 0 && left <= 11_000, `${key} lives ${left} ms`);
    }
  });
});

describe('shares while Redis is away', skipFor(redis.skip), () => {
  it('continue with what this gateway has granted, and are reported when Redis is back', async (t) => {
    await using own = await services.own.redis();
    if (own.skip !== false) return t.skip(own.skip);
    const prefix = unique('shares');
    const [one, other] = await Promise.all([1, 2].map(() => openOnRedis(own.url, slow, prefix)));
    assert.ok(one !== undefined && other !== undefined);
    t.onTestFinished(async () => {
      await Promise.all([one.close(), other.close()]);
    });
    // By its second heartbeat each knows of the other, because Redis answers that question after it.
    await ownDelay(1_100);
    for (const each of [one, other]) await each.take('after the heartbeat', { requests: 1 });
    await own.freeze();
    await until('both are alone', () => one.degraded() && other.degraded());
    const began = performance.now();
    assertGiven(await taken(one, 'key', { elements: 10 }, 10), 5, began);
    assertGiven(await taken(other, 'key', { elements: 10 }, 10), 5, began);
    await own.resume();
    await until('both are back', () => !one.degraded() && !other.degraded());
    for (const each of [one, other]) await each.take('key', { requests: 1 });
    assertGiven(await taken(one, 'key', { elements: 10 }, 10), 0, began);
  });

  it('that forgot them are not given twice by one gateway', async (t) => {
    await using own = await services.own.redis();
    if (own.skip !== false) return t.skip(own.skip);
    const { Redis } = await import('ioredis');
    const client = new Redis(own.url);
    t.onTestFinished(() => client.disconnect());
    const shares = await openOnRedis(own.url, slow);
    t.onTestFinished(() => shares.close());
    const began = performance.now();
    let count = 0;
    for (let round = 0; round < 5; round += 1) {
      count += await taken(shares, 'key', { bytes: 100 }, 4);
      await client.flushall();
    }
    assertGiven(count, 10, began);
  });

  it('answer at once where Redis never did', async (t) => {
    const shares = openRedisFeedShares({
      url: 'redis://127.0.0.1:1',
      limits: slow,
      log: silentLog,
      prefix: unique('shares'),
      countInstances: async () => 1,
    });
    t.onTestFinished(() => shares.close());
    assert.equal(shares.degraded(), true);
    const began = performance.now();
    assertGiven(await taken(shares, 'key', { requests: 1 }, 20), 10, began);
  });
});
