// Limiters: docs/metering.md#rate-limits; docs/metering.md#ledger-outage. What holds for every one of them, and what those over Redis do while
// it is away.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { RateLimiter } from '../../../core/ports/rate-limiter.ts';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { openMemoryRateLimiter } from '../../../platform/process/memory-rate-limiter.ts';
import { openRedisRateLimiter } from '../../../platform/redis/redis-rate-limiter.ts';
import { ownDelay, ownMs } from '../../support/processes/own-time.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const shared = await services.redis();

/** Sends `times` requests, `atOnce` at a time; answers how many were admitted. */
async function admissions(
  limiter: RateLimiter,
  subject: string,
  limit: number,
  times: number,
  atOnce = 1,
): Promise<number> {
  let admitted = 0;
  for (let asked = 0; asked < times; asked += atOnce) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(atOnce, times - asked) }, async () => limiter.admit(subject, limit)),
    );
    admitted += answers.filter((answer) => answer.admitted).length;
  }
  return admitted;
}

/** Without Redis, the limiter counts one instance. */
const countInstances = async (): Promise<number> => 1;

async function openOnRedis(url: string, prefix = unique('rl')): Promise<RateLimiter> {
  const limiter = openRedisRateLimiter({ url, log: silentLog, prefix, countInstances });
  await until('the limiter reaches Redis', () => !limiter.degraded());
  return limiter;
}

/** By its second heartbeat each knows of the others, because Redis answers that question after it. */
async function knowEachOther(limiters: readonly RateLimiter[]): Promise<void> {
  await ownDelay(1_100);
  await Promise.all(limiters.map((limiter) => limiter.look('after the heartbeat', 100)));
}

/** A log that keeps the messages shown to the administrator. */
function openMessageLog(lines: string[]): Log {
  const note = (message: string): void => void lines.push(message);
  return { ...silentLog, info: note, warn: note, error: note };
}

function limiterContract(name: string, skip: string | false, open: () => Promise<RateLimiter>): void {
  describe(`a limiter ${name}`, skipFor(skip), () => {
    let limiter: RateLimiter;
    beforeAll(async () => {
      limiter = await open();
    });
    afterAll(() => limiter?.close());

    for (const [limit, atOnce] of [
      [1, 1],
      [30, 1],
      [30, 60],
      [1_000, 1],
      [1_000, 7],
      [1_000, 1_500],
    ] as const) {
      it(`admits exactly ${limit} of many requests, ${atOnce} at a time`, async () => {
        assert.equal(await admissions(limiter, `exact ${limit} ${atOnce}`, limit, limit + 100, atOnce), limit);
      });
    }

    it('tells what is left, and when there is more', async () => {
      const began = performance.now();
      // The reset is a window after the first request.
      const assertReset = (ms: number): void =>
        assert.ok(ms > 59_000 - (performance.now() - began) && ms <= 60_001, `${ms}`);
      for (let left = 4; left >= 0; left -= 1) {
        const answer = await limiter.admit('told', 5);
        assert.deepEqual([answer.admitted, answer.limit, answer.remaining], [true, 5, left]);
        assertReset(answer.resetMs);
      }
      const refused = await limiter.admit('told', 5);
      assert.deepEqual([refused.admitted, refused.remaining], [false, 0]);
      assertReset(refused.resetMs);
    });

    it('counts each subject by itself', async () => {
      const counts = await Promise.all(
        Array.from({ length: 20 }, (_, each) => admissions(limiter, `subject ${each}`, 10, 25, 5)),
      );
      assert.deepEqual(counts, Array(20).fill(10));
    });

    it('takes nothing from those who only look', async () => {
      assert.deepEqual([(await limiter.look('seen', 3)).remaining, (await limiter.look('seen', 3)).resetMs], [3, 0]);
      await limiter.admit('seen', 3);
      for (let look = 0; look < 5; look += 1) assert.equal((await limiter.look('seen', 3)).remaining, 2);
      assert.equal(await admissions(limiter, 'seen', 3, 5), 2);
      assert.deepEqual(
        [(await limiter.look('seen', 3)).admitted, (await limiter.look('seen', 3)).remaining],
        [false, 0],
      );
    });

    it('holds a limit that was lowered, and gives what was added', async () => {
      assert.equal(await admissions(limiter, 'moved', 10, 10), 10);
      const lowered = await limiter.admit('moved', 4);
      assert.deepEqual([lowered.admitted, lowered.remaining], [false, 0]);
      assert.equal(await admissions(limiter, 'moved', 15, 20), 5);
    });
  });
}

limiterContract('in memory', false, async () => openMemoryRateLimiter());
limiterContract('over Redis', shared.skip, () => openOnRedis(shared.url));

describe('limiters that share a Redis', skipFor(shared.skip), () => {
  it('together admit no more than the limit, however they are used', async (t) => {
    for (const atOnce of [1, 10, 400]) {
      const prefix = unique('rl');
      const limiters = await Promise.all([1, 2, 3].map(() => openOnRedis(shared.url, prefix)));
      t.onTestFinished(async () => {
        await Promise.all(limiters.map((limiter) => limiter.close()));
      });
      const counts = await Promise.all(limiters.map((limiter) => admissions(limiter, 'key', 600, 400, atOnce)));
      const sum = counts.reduce((a, b) => a + b);
      assert.ok(sum <= 600, `${counts.join(' + ')}`);
      // Leases that some instances did not use are returned.
      const [last] = limiters as [RateLimiter];
      await until(
        'all is used',
        async () => (await admissions(last, 'key', 600, 1)) === 0 && (await last.look('key', 600)).remaining === 0,
      );
    }
  });

  it('give back what they have leased when they close', async () => {
    const prefix = unique('rl');
    const [first, second] = [await openOnRedis(shared.url, prefix), await openOnRedis(shared.url, prefix)];
    const used = await admissions(first, 'key', 1_000, 300, 10);
    await first.close();
    assert.equal(used, 300);
    assert.equal(await admissions(second, 'key', 1_000, 900, 30), 700);
    await second.close();
  });

  it('lease to the busy: most requests of a hot key are decided at once', async () => {
    const limiter = await openOnRedis(shared.url);
    let atOnce = 0;
    for (let request = 0; request < 1_000; request += 1) {
      const answer = limiter.admit('hot', 1_000_000);
      if (!(answer instanceof Promise)) atOnce += 1;
      assert.equal((await answer).admitted, true);
    }
    assert.ok(atOnce > 900, `${atOnce} at once`);
    await limiter.close();
  });

  it('keep nothing longer than it matters', async (t) => {
    const { Redis } = await import('ioredis');
    const redis = new Redis(shared.url);
    t.onTestFinished(() => redis.disconnect());
    const prefix = unique('rl');
    const limiter = await openOnRedis(shared.url, prefix);
    await admissions(limiter, 'key', 100, 50, 10);
    for (const key of await redis.keys(`${prefix}*`)) {
      const left = await redis.pttl(key);
      assert.ok(left > 0 && left <= 120_000, `${key} lives ${left} ms`);
    }
    await limiter.close();
  });
});

describe('while Redis is away', skipFor(shared.skip), () => {
  /** Sends a request every 10 ms until `done`; answers the longest wait, in own time. */
  async function askUntil(limiter: RateLimiter, done: () => boolean): Promise<{ longestMs: number; tookMs: number }> {
    const began = ownMs();
    let longestMs = 0;
    while (!done()) {
      const asked = ownMs();
      await limiter.admit('asking', 1_000_000);
      longestMs = Math.max(longestMs, ownMs() - asked);
      if (ownMs() - began > 60_000) throw new Error('the limiter never reached the expected state');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return { longestMs, tookMs: ownMs() - began };
  }

  for (const how of ['killed', 'frozen'] as const) {
    it(`(${how}) a process decides alone within a second, goes on with what it has counted, and is back within a second`, async (t) => {
      await using redis = await services.own.redis();
      if (redis.skip !== false) return t.skip(redis.skip);
      const limiter = await openOnRedis(redis.url);
      t.onTestFinished(() => limiter.close());
      assert.equal(await admissions(limiter, 'key', 100, 60, 6), 60);

      if (how === 'killed') await redis.kill();
      else await redis.freeze();
      const left = await askUntil(limiter, () => limiter.degraded());
      assert.ok(left.tookMs < 1_000, `alone after ${left.tookMs} ms`);
      assert.ok(left.longestMs < 250, `a request waited ${left.longestMs} ms`);
      assert.equal(await admissions(limiter, 'key', 100, 100, 10), 40, 'the unused rest of the limit');
      assert.equal(await admissions(limiter, 'other', 100, 200, 10), 100);

      if (how === 'killed') await redis.restart();
      else await redis.resume();
      const back = await askUntil(limiter, () => !limiter.degraded());
      assert.ok(back.tookMs < 1_000, `back after ${back.tookMs} ms`);
      assert.equal(await admissions(limiter, 'key', 100, 50, 5), 0, 'nothing is admitted twice');
      assert.equal(await admissions(limiter, 'new', 100, 200, 20), 100);
    });
  }

  it('one that is slow is away, and each request waits for it but once', async (t) => {
    await using redis = await services.own.redis();
    if (redis.skip !== false) return t.skip(redis.skip);
    const { Redis } = await import('ioredis');
    const client = new Redis(redis.url);
    t.onTestFinished(() => client.disconnect());
    const limiter = await openOnRedis(redis.url);
    t.onTestFinished(() => limiter.close());
    await client.call('CLIENT', 'PAUSE', '2500', 'ALL');
    const left = await askUntil(limiter, () => limiter.degraded());
    assert.ok(left.tookMs < 1_000, `alone after ${left.tookMs} ms`);
    assert.ok(left.longestMs < 250, `a request waited ${left.longestMs} ms`);
    assert.equal(await admissions(limiter, 'key', 100, 200, 10), 100);
    await askUntil(limiter, () => !limiter.degraded());
    assert.equal(await admissions(limiter, 'key', 100, 50, 10), 0);
  });

  it('each of several takes its share of the limit', async (t) => {
    await using redis = await services.own.redis();
    if (redis.skip !== false) return t.skip(redis.skip);
    const limiters = await Promise.all([1, 2, 3].map(() => openOnRedis(redis.url, 'shares')));
    t.onTestFinished(async () => {
      await Promise.all(limiters.map((limiter) => limiter.close()));
    });
    await knowEachOther(limiters);
    await redis.kill();
    await until('all are alone', () => limiters.every((limiter) => limiter.degraded()));
    for (const limiter of limiters) assert.equal(await admissions(limiter, 'key', 100, 100, 10), 34);
  });

  it('what each has admitted alone is known to all when it is back', async (t) => {
    await using redis = await services.own.redis();
    if (redis.skip !== false) return t.skip(redis.skip);
    const limiters = await Promise.all([1, 2].map(() => openOnRedis(redis.url, 'told')));
    t.onTestFinished(async () => {
      await Promise.all(limiters.map((limiter) => limiter.close()));
    });
    await knowEachOther(limiters);
    await redis.freeze();
    await until('all are alone', () => limiters.every((limiter) => limiter.degraded()));
    for (const limiter of limiters) assert.equal(await admissions(limiter, 'key', 100, 100, 10), 50);
    await redis.resume();
    await until('all are back and have told', async () => {
      const looks = await Promise.all(limiters.map(async (limiter) => limiter.look('key', 100)));
      return limiters.every((limiter) => !limiter.degraded()) && looks.every(({ remaining }) => remaining === 0);
    });
    for (const limiter of limiters) assert.equal(await admissions(limiter, 'key', 100, 100, 10), 0);
  });

  it('those that start meanwhile take their share, as far as somebody else can count them', async (t) => {
    let members = 0;
    const limiters = [1, 2, 3, 4].map(() => {
      members += 1;
      return openRedisRateLimiter({ url: 'redis://127.0.0.1:1', log: silentLog, countInstances: async () => members });
    });
    t.onTestFinished(async () => {
      await Promise.all(limiters.map((limiter) => limiter.close()));
    });
    await until('they know of each other', async () =>
      limiters.every((limiter) => (limiter.look('key', 100) as { limit: number }).limit === 25),
    );
    for (const limiter of limiters) assert.equal(await admissions(limiter, 'key', 100, 100, 10), 25);
  });

  it('works without one that never answered, and reports it once', async () => {
    const messages: string[] = [];
    const limiter = openRedisRateLimiter({ url: 'redis://127.0.0.1:1', log: openMessageLog(messages), countInstances });
    assert.equal(limiter.degraded(), true);
    assert.equal(await admissions(limiter, 'key', 100, 200, 10), 100);
    await until('it is told', () => messages.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await limiter.close();
    assert.deepEqual(messages, ['requests are counted by this process alone']);
  });

  it('one that answers as the process starts is never told of as away', async (t) => {
    const redis = await services.redis();
    if (redis.skip !== false) return t.skip(redis.skip);
    const messages: string[] = [];
    const limiter = openRedisRateLimiter({
      url: redis.url,
      log: openMessageLog(messages),
      prefix: unique('rl'),
      countInstances,
    });
    await until('the limiter reaches Redis', () => !limiter.degraded());
    await limiter.close();
    assert.deepEqual(messages, []);
  });

  it('one that forgets in between admits no more than the limit of what comes through one process', async (t) => {
    await using redis = await services.own.redis();
    if (redis.skip !== false) return t.skip(redis.skip);
    const { Redis } = await import('ioredis');
    const client = new Redis(redis.url);
    t.onTestFinished(() => client.disconnect());
    const limiter = await openOnRedis(redis.url);
    t.onTestFinished(() => limiter.close());
    let admitted = 0;
    for (let round = 0; round < 10; round += 1) {
      admitted += await admissions(limiter, 'key', 100, 20, 1 + round);
      await client.flushall();
      await client.script('FLUSH');
    }
    assert.equal(admitted, 100);
    assert.equal(limiter.degraded(), false);
  });
});
