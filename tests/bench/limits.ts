// l) What it costs to count a request: in memory, and in Redis for one hot key and for many cold ones; the baseline is
// a bare round trip to the same Redis. Leases should keep the share of requests that wait for Redis small.
import { Redis } from 'ioredis';
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import { openMemoryRateLimiter } from '../../platform/process/memory-rate-limiter.ts';
import { openRedisRateLimiter } from '../../platform/redis/redis-rate-limiter.ts';
import { services } from '../support/services/services.ts';
import { unique } from '../support/services/unique.ts';
import { until } from '../support/services/until.ts';
import { type Bench, median, type Run, short } from './bench.ts';

const askers = 64;
const manyKeys = 20_000;
const boundless = 1e9;

type Rate = { perSecond: number; waited: number };

export const limits: Bench = {
  letter: 'l',
  title: 'requests counted',
  async run(run) {
    const service = await services.redis();
    if (service.skip !== false) return run.note([service.skip]);
    const redis = new Redis(service.url);
    const shared = openRedisRateLimiter({
      url: service.url,
      log: silentLog,
      countInstances: async () => 1,
      prefix: unique('bench'),
    });
    const memory = openMemoryRateLimiter();
    try {
      await until('the limiter reaches Redis', () => !shared.degraded());
      const ping = () => redis.ping();
      await compare(run, 'in memory', ping, (turn) => memory.admit(`key ${turn % 100}`, boundless));
      await compare(run, 'in Redis, one hot key', ping, (turn) => admit(shared, `hot ${turn % 1}`));
      await compare(run, `in Redis, ${short(manyKeys)} keys in turn`, ping, (turn) =>
        admit(shared, `key ${turn % manyKeys}`),
      );
    } finally {
      await shared.close();
      redis.disconnect();
    }
  },
};

function admit(limiter: RateLimiter, subject: string): unknown {
  if (limiter.degraded()) throw new Error('the limiter lost its Redis and counts alone: there is nothing to measure');
  return limiter.admit(subject, boundless);
}

async function compare(run: Run, what: string, ping: () => unknown, ask: (turn: number) => unknown): Promise<void> {
  const [seconds, rounds] = run.toy ? [0.2, 1] : [3, 3];
  const [ours, theirs] = [[] as Rate[], [] as Rate[]];
  for (let round = 0; round < rounds; round += 1) {
    run.say(`${what}, ${round + 1} of ${rounds}`);
    ours.push(await measure(seconds, ask));
    theirs.push(await measure(seconds, ping));
  }
  const rate = median(ours.map(({ perSecond }) => perSecond));
  const baseline = median(theirs.map(({ perSecond }) => perSecond));
  const waited = median(ours.map((each) => each.waited));
  run.figure({
    what: `${what}: ${short(rate)}/s ÷ ${short(baseline)} PING/s = ${(rate / baseline).toFixed(2)}; ${(100 * waited).toFixed(1)} % waited`,
  });
}

/** Many askers at once, each with one question at a time. */
async function measure(seconds: number, ask: (turn: number) => unknown): Promise<Rate> {
  const from = performance.now();
  const end = from + seconds * 1_000;
  let asked = 0;
  let waited = 0;
  const asker = async (): Promise<void> => {
    for (let turn = 1; performance.now() < end; turn += 1) {
      asked += 1;
      const answer = ask(asked);
      if (answer instanceof Promise) {
        waited += 1;
        await answer;
      }
      // When the answer comes at once, the asker still yields now and then, as a server does between requests.
      else if (turn % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: askers }, asker));
  return { perSecond: (asked * 1_000) / (performance.now() - from), waited: waited / asked };
}
