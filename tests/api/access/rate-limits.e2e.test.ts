// Requests per minute as clients meet them: docs/interface.md#limits; docs/interface.md#errors; docs/interface.md#response-headers.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'vitest';
import type { Tier } from '../../../core/ports/catalog/keys.ts';
import { openMemoryRateLimiter } from '../../../platform/process/memory-rate-limiter.ts';
import { anHour } from '../../support/builders/request-windows.ts';
import {
  assertProblem,
  pepper,
  type Reply,
  startApi,
  type TestApi,
  type TestOptions,
} from '../../support/http/api-http.ts';

let api: TestApi;
let now = 1_000;
afterEach(() => api.close());

async function start(options: TestOptions = {}): Promise<void> {
  now = 1_000;
  api = await startApi({ rateLimits: {}, limiter: openMemoryRateLimiter(() => now), ...options });
}

function limitFields({ headers }: Reply): Record<string, string | undefined> {
  const names = ['ratelimit-policy', 'ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

function fieldsFor(limit: number, remaining: number, seconds: number): Record<string, string> {
  return {
    'ratelimit-policy': `"minute";q=${limit};w=60`,
    ratelimit: `"minute";r=${remaining};t=${seconds}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(seconds),
  };
}

const limits: [Tier, number][] = [
  ['DEMO', 30],
  ['BETA', 120],
  ['STARTER', 300],
  ['PRO', 1_000],
];

for (const [tier, limit] of limits) {
  it(`a key of tier ${tier} has exactly ${limit} requests in a minute`, async () => {
    await start();
    const key = api.catalog.mint(pepper, { tier });
    for (let request = 1; request <= limit; request += 1) {
      const reply = await api.get('/v1/leagues', { key });
      assert.equal(reply.status, 200, `request ${request}`);
      if (request === 1 || request === limit)
        assert.deepEqual(limitFields(reply), fieldsFor(limit, limit - request, 60));
    }
    now += 20_000;
    const refused = await api.get('/v1/leagues', { key });
    assertProblem(refused, 'rate-limited');
    assert.equal(refused.headers['retry-after'], '40');
    assert.deepEqual(limitFields(refused), fieldsFor(limit, 0, 40));
    now += 40_000;
    assert.equal((await api.get('/v1/leagues', { key })).status, 200);
  });
}

describe('what is counted', () => {
  it('each key by itself, also two keys of one account', async () => {
    await start({ rateLimits: { PRO: 1 } });
    const others = [api.catalog.mint(pepper), api.catalog.mint(pepper, { accountId: 'other' })];
    for (const key of [api.key, ...others]) assert.equal((await api.get('/v1/leagues', { key })).status, 200);
    for (const key of [api.key, ...others]) assertProblem(await api.get('/v1/leagues', { key }), 'rate-limited');
  });

  it('a HEAD, a problem and a 304 like a 200', async () => {
    await start({ rateLimits: { PRO: 5 } });
    const first = await api.get('/v1/leagues');
    const etag = first.headers.etag as string;
    const replies = [
      await api.get('/v1/leagues', { method: 'HEAD' }),
      await api.get('/v1/leagues', { headers: { 'if-none-match': etag } }),
      await api.get('/v1/leagues?nonsense=1'),
      await api.get('/v1/games/MLB_STL_NYY_19990805'),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 304, 400, 404],
    );
    assert.deepEqual(
      replies.map((reply) => limitFields(reply)),
      [3, 2, 1, 0].map((remaining) => fieldsFor(5, remaining, 60)),
    );
    assertProblem(await api.get('/v1/leagues', { method: 'GET' }), 'rate-limited');
    assert.equal((await api.get('/v1/leagues', { method: 'HEAD' })).status, 429);
  });

  it('neither a path without a route nor a method that a route does not have', async () => {
    await start({ rateLimits: { PRO: 1 } });
    for (const [path, method] of [
      ['/v1/nonsense', 'GET'],
      ['/v1/leagues', 'POST'],
      ['/v1/leagues', 'OPTIONS'],
    ] as const) {
      await api.get(path, { method });
    }
    assert.equal((await api.get('/v1/leagues')).status, 200);
  });

  it('no request that is refused earlier; its answer still shows what is left', async () => {
    await start({ rateLimits: { PRO: 2 } });
    for (const facts of [
      { state: 'revoked' },
      { state: 'suspended' },
      { entitled: false },
      { state: 'throttled' },
    ] as const) {
      const key = api.catalog.mint(pepper, facts);
      for (let request = 0; request < 4; request += 1) {
        const reply = await api.get('/v1/leagues', { key });
        assert.ok([402, 403, 429].includes(reply.status));
        assert.notEqual((reply.json() as { type: string }).type, 'https://api.example.test/problems/rate-limited');
        assert.deepEqual(limitFields(reply), fieldsFor(2, 2, 0));
      }
    }
  });

  it('no subject without a valid key: a 401 has no limits', async () => {
    await start();
    const reply = await api.get('/v1/leagues', { key: null });
    assertProblem(reply, 'invalid-key');
    assert.equal(reply.headers['ratelimit-limit'], undefined);
  });
});

describe('routes without a key', () => {
  it('are answered 300 times a minute to one address', async () => {
    await start();
    for (let request = 1; request <= 300; request += 1) {
      const reply = await api.get(request % 2 === 0 ? '/v1/openapi.json' : '/v1/datasets', { key: null });
      assert.equal(reply.status, 200, `request ${request}`);
      assert.equal(reply.headers['ratelimit-limit'], undefined);
    }
    const refused = await api.get('/v1/datasets', { key: null });
    assertProblem(refused, 'rate-limited');
    assert.equal(refused.headers['retry-after'], '60');
    assert.deepEqual(limitFields(refused), fieldsFor(300, 0, 60));
    // A load balancer checks the process, from a visitor's address or with all addresses in one.
    for (const probe of ['/health', '/health/ready'])
      assert.equal((await api.get(probe, { key: null })).status, 200, probe);
    // A key has a limit of its own.
    assert.equal((await api.get('/v1/leagues')).status, 200);
  });
});

it('clients behind a proxy of our own are counted by their addresses, and none by one that he made up', async () => {
  await start({ rateLimits: { address: 2 }, proxyHops: 1 });
  const ask = async (forwardedFor: string) =>
    (await api.get('/v1/datasets', { key: null, headers: { 'x-forwarded-for': forwardedFor } })).status;
  for (const address of ['198.51.100.1', '198.51.100.2']) {
    assert.deepEqual([await ask(address), await ask(`203.0.113.5, ${address}`), await ask(address)], [200, 200, 429]);
  }
  await api.close();
  await start({ rateLimits: { address: 2 } });
  assert.deepEqual([await ask('198.51.100.1'), await ask('198.51.100.2'), await ask('198.51.100.3')], [200, 200, 429]);
});

it('a limiter with another window says so: in the fields, and in the refusal', async () => {
  await start({ rateLimits: { PRO: 2 }, limiter: openMemoryRateLimiter(() => now, anHour) });
  const fields = (remaining: number, seconds: number) => ({
    ...fieldsFor(2, remaining, seconds),
    'ratelimit-policy': '"hour";q=2;w=3600',
    ratelimit: `"hour";r=${remaining};t=${seconds}`,
  });
  for (const remaining of [1, 0]) assert.deepEqual(limitFields(await api.get('/v1/leagues')), fields(remaining, 3_600));
  now += 600_000;
  const refused = await api.get('/v1/leagues');
  assertProblem(refused, 'rate-limited');
  assert.deepEqual(limitFields(refused), fields(0, 3_000));
  const { detail } = refused.json() as { detail: string };
  assert.equal(detail, 'At most 2 requests are answered within an hour; the next one in 3000 s.');
});

it('500 requests at once on one key: as many as the limit are answered', async () => {
  await start({ rateLimits: { PRO: 200 } });
  const replies = await Promise.all(Array.from({ length: 500 }, () => api.get('/v1/leagues')));
  assert.equal(replies.filter(({ status }) => status === 200).length, 200);
  assert.equal(replies.filter(({ status }) => status === 429).length, 300);
});
