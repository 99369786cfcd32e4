// Keys and limits over several API processes with one PostgreSQL and one Redis: docs/metering.md#rate-limits; SECURITY.md. Redis is taken away
// in between; nothing about keys depends on it.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { microsPerSecond } from '../../../core/units.ts';
import { health } from '../../../schemas/http/service.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { MovableClock, type Reply, type RequestOptions, send } from '../../support/http/api-http.ts';
import { testPeppers } from '../../support/processes/process-environment.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();

type World = AsyncDisposable & {
  instances: readonly Edition[];
  clock: MovableClock;
  redis: Awaited<ReturnType<typeof services.own.redis>>;
  get(instance: number, path: string, options?: RequestOptions): Promise<Reply>;
};

async function open(count: number, limits: string): Promise<World | string> {
  const stack = new AsyncDisposableStack();
  const redis = stack.use(await services.own.redis());
  if (redis.skip !== false) return redis.skip;
  const database = await postgres.createMigratedDatabase();
  stack.defer(() => database.drop());
  const clock = new MovableClock();
  const instances: Edition[] = [];
  for (let instance = 0; instance < count; instance += 1) {
    const edition = await startEdition({
      roles: ['api'],
      clock,
      environment: {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        SDS_RATE_LIMITS: limits,
        SDS_KEY_PEPPERS: testPeppers,
      },
    });
    stack.defer(() => edition.stop());
    instances.push(edition);
  }
  const key = (instances[0] as Edition).apiKey;
  return {
    instances,
    clock,
    redis,
    get: (instance, path, options) => send((instances[instance] as Edition).apiUrl, path, { key, ...options }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function degraded(world: World, instance: number): Promise<readonly string[]> {
  return health.parse((await world.get(instance, '/health', { key: null })).json()).degraded;
}

async function reachRedis(world: World): Promise<void> {
  for (const instance of world.instances.keys()) {
    await until('the limiter reaches Redis', async () => !(await degraded(world, instance)).includes('ratelimit'));
  }
}

/** The statuses of `count` requests to the instances in turn. */
async function ask(world: World, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let request = 0; request < count; request += 1) {
    const { status } = await world.get(request % world.instances.length, '/v1/leagues');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

describe('several API processes', skipFor(postgres.skip), () => {
  it('count a key together, alone by their shares while Redis is away, and say so', async (t) => {
    const world = await open(2, 'PRO:40,address:1000000');
    if (typeof world === 'string') return t.skip(world);
    await using _ = world;
    await reachRedis(world);
    // By then each knows of the other by its heartbeat.
    await new Promise((resolve) => setTimeout(resolve, 600));
    const together = await ask(world, 100);
    assert.equal(together.get(200), 40, JSON.stringify([...together]));
    assert.equal(together.get(429), 60);

    await world.redis.kill();
    for (const instance of [0, 1]) {
      await until('it is alone', async () => (await degraded(world, instance)).includes('ratelimit'), {
        withinMs: 1_500,
      });
      // Requests it admitted before count: its share is used up.
      assert.equal((await world.get(instance, '/v1/leagues')).status, 429);
    }
    await world.redis.restart();
    await reachRedis(world);
  });

  it('refuse a revoked key within 60 seconds, also with Redis down', async (t) => {
    const world = await open(2, 'PRO:1000000,address:1000000');
    if (typeof world === 'string') return t.skip(world);
    await using _ = world;
    for (const instance of [0, 1]) assert.equal((await world.get(instance, '/v1/leagues')).status, 200);
    const { key_id: id } = (await world.get(0, '/v1/me')).json() as { key_id: string };
    await world.redis.kill();
    const { keys } = (world.instances[0] as Edition).drivers.catalogs;
    await keys.setKeyState(id, 'revoked', 'test');
    const revokedAt = world.clock.now();
    const refused = [false, false];
    while (refused.includes(false)) {
      world.clock.ahead += 5 * microsPerSecond;
      for (const instance of [0, 1]) {
        if ((await world.get(instance, '/v1/leagues')).status === 403) refused[instance] = true;
      }
      // The clock moves but the catalog does not: an instance that has just asked it is given time for the answer.
      for (let answer = 0; answer < 5; answer += 1) await keys.keys(null);
      assert.ok(world.clock.now() - revokedAt <= 60 * microsPerSecond, `refused by ${refused}`);
    }
  });
});
