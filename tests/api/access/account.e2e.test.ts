// The record of a key, and which games it may read: docs/interface.md#key-record; docs/interface.md#access;
// docs/interface.md#history-windows.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'vitest';
import type { Tier } from '../../../core/ports/catalog/keys.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { keyRecord } from '../../../schemas/http/account.ts';
import { assertProblem, pepper, startApi, type TestApi, type TestOptions } from '../../support/http/api-http.ts';

let api: TestApi;
afterEach(() => api.close());

async function start(options: TestOptions = {}): Promise<void> {
  api = await startApi(options);
}

describe('GET /v1/me', () => {
  it('shows the limits of each tier', async () => {
    await start({ rateLimits: {} });
    for (const [tier, limit] of [
      ['DEMO', 30],
      ['BETA', 120],
      ['STARTER', 300],
      ['PRO', 1_000],
    ] as const) {
      const key = api.catalog.mint(pepper, { tier, id: `key_of_${tier}` });
      const reply = await api.get('/v1/me', { key });
      const record = keyRecord.parse(reply.json());
      assert.deepEqual([record.key_id, record.tier, record.rate_limit_per_minute], [`key_of_${tier}`, tier, limit]);
      assert.equal('demo_month' in record, tier === 'DEMO');
      assert.equal(reply.headers['cache-control'], 'no-store');
      assert.equal(reply.headers.etag, undefined);
    }
  });

  it('shows the month that DEMO reads', async () => {
    await start();
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    assert.equal(keyRecord.parse((await api.get('/v1/me', { key })).json()).demo_month, null);
    api.catalog.newestSettledMonth = '2026-07';
    api.clock.ahead += 31_000_000;
    await api.get('/v1/me', { key });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(keyRecord.parse((await api.get('/v1/me', { key })).json()).demo_month, '2026-07');
  });

  it('answers while the catalog and the ledger are down', async () => {
    await start();
    const key = api.catalog.mint(pepper, { tier: 'DEMO', monthlyRows: 700 });
    await api.get('/v1/leagues', { key });
    api.catalog.state = 'down';
    api.ledger.state = 'down';
    const reply = await api.get('/v1/me', { key });
    assert.equal(reply.status, 200);
    const { quota } = keyRecord.parse(reply.json());
    assert.deepEqual([quota.monthly_rows, quota.used_rows], [700, 0]);
    assert.match(quota.resets, /^[0-9]{4}-[0-9]{2}-01$/);
    assert.ok(quota.resets > formatMicros(api.clock.now()).slice(0, 10));
  });

  it('shows what is used, even with the quota spent, and costs nothing', async () => {
    await start();
    const game = 'MLB_STL_NYY_20260805';
    await api.log(game).append(7);
    api.ledger.quotas.set('account', 5);
    const segment = `/v1/games/${game}/sportsbook-lines/segments`;
    assert.equal((await api.get(`${segment}/1?rows=5`)).status, 200);
    assertProblem(await api.get(`${segment}/2?rows=2`), 'quota-exhausted');
    for (let ask = 0; ask < 2; ask += 1) {
      const reply = await api.get('/v1/me');
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['x-service-debited'], undefined);
      const { quota } = keyRecord.parse(reply.json());
      assert.deepEqual(quota, { monthly_rows: 5, used_rows: 5, resets: '2026-09-01' });
    }
  });

  it('answers while the ledger is down, with nothing used', async () => {
    await start();
    api.ledger.state = 'down';
    const reply = await api.get('/v1/me');
    assert.equal(reply.status, 200);
    assert.equal(keyRecord.parse(reply.json()).quota.used_rows, 0);
  });

  it('is refused like any route where the key is', async () => {
    await start();
    const refusals = [
      [{ state: 'revoked' }, 'key-disabled'],
      [{ state: 'suspended' }, 'key-disabled'],
      [{ entitled: false }, 'subscription-required'],
      [{ state: 'throttled' }, 'throttled'],
    ] as const;
    for (const [facts, problem] of refusals) {
      const document = assertProblem(await api.get('/v1/me', { key: api.catalog.mint(pepper, facts) }), problem);
      if (problem === 'subscription-required') {
        assert.match(String(document.upgrade_url), /^https:\/\/api\.example\.test\//);
      }
    }
  });

  it('takes no parameters', async () => {
    await start();
    assertProblem(await api.get('/v1/me?x=1'), 'validation-error');
  });
});

describe('a history window', () => {
  const games = ['MLB_STL_NYY_20260630', 'MLB_STL_NYY_20260731', 'MLB_STL_NYY_20260805', 'MLB_STL_NYY_20991231'];
  const suffixes = [
    '',
    '/sportsbook-lines',
    '/closing-lines',
    '/closing-lines?version=1',
    '/closing-lines/versions',
    '/sportsbook-lines/segments',
    '/sportsbook-lines/segments/1',
    '/sportsbook-lines/board',
    '/sportsbook-lines/board/DRAFTKINGS',
  ];

  /** 2026-08-30, three in the morning UTC: still the 29th in New York. */
  const now = Date.UTC(2026, 7, 30, 3) * 1_000;

  async function prepare(options: TestOptions = {}): Promise<void> {
    await start(options);
    api.catalog.now = now;
    for (const game of games) await api.log(game).append(7);
  }

  const readable: [Tier, string[]][] = [
    ['DEMO', ['MLB_STL_NYY_20260731']],
    // 30 days before August 29 is July 30.
    ['BETA', ['MLB_STL_NYY_20260731', 'MLB_STL_NYY_20260805', 'MLB_STL_NYY_20991231']],
    ['STARTER', games],
    ['PRO', games],
  ];

  for (const [tier, expected] of readable) {
    it(`of ${tier} is the same on every route of a game, by GET and HEAD`, async () => {
      await prepare({ demoMonth: '2026-07' });
      const key = api.catalog.mint(pepper, { tier });
      for (const game of games) {
        for (const suffix of suffixes) {
          for (const method of ['GET', 'HEAD']) {
            const reply = await api.get(`/v1/games/${game}${suffix}`, { key, method });
            const refused = reply.status === 403;
            assert.equal(refused, !expected.includes(game), `${method} ${game}${suffix}: ${reply.status}`);
            if (refused && method === 'GET') assertProblem(reply, 'history-restricted');
          }
        }
      }
    });
  }

  it('follows the day in New York by the clock of the catalog', async () => {
    await prepare();
    const key = api.catalog.mint(pepper, { tier: 'BETA' });
    const path = '/v1/games/MLB_STL_NYY_20260731';
    assert.equal((await api.get(path, { key })).status, 200);
    // A day later and an hour before midnight in New York, then an hour later.
    api.clock.ahead += 24 * 3_600_000_000;
    assert.equal((await api.get(path, { key })).status, 200);
    api.clock.ahead += 24 * 3_600_000_000 + 3_600_000_000;
    api.catalog.now = now + api.clock.ahead;
    assertProblem(await api.get(path, { key }), 'history-restricted');
  });

  it('keeps serving while the catalog is down, and answers 503 for a game whose date was never read', async () => {
    await prepare();
    const beta = api.catalog.mint(pepper, { tier: 'BETA' });
    const path = '/v1/games/MLB_STL_NYY_20260805/sportsbook-lines/segments';
    const old = '/v1/games/MLB_STL_NYY_20260630/sportsbook-lines/segments';
    await api.get(path);
    await api.get(old);
    await api.get('/v1/leagues', { key: beta });
    api.catalog.state = 'down';
    assertProblem(await api.get(path, { key: beta }), 'temporarily-unavailable');
    assert.equal((await api.get(path)).status, 200);
    api.catalog.state = 'up';
    assert.equal((await api.get(path, { key: beta })).status, 200);
    api.catalog.state = 'down';
    assert.equal((await api.get(path, { key: beta })).status, 200);
    assertProblem(await api.get(old, { key: beta }), 'history-restricted');
  });

  it('of DEMO without a configured month is the newest one that is over and holds a settled game', async () => {
    await prepare();
    api.catalog.newestSettledMonth = '2026-06';
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    assert.equal((await api.get('/v1/games/MLB_STL_NYY_20260630', { key })).status, 200);
    assertProblem(await api.get('/v1/games/MLB_STL_NYY_20260731', { key }), 'history-restricted');
  });

  it('keeps nothing out of the lists', async () => {
    await prepare();
    const key = api.catalog.mint(pepper, { tier: 'BETA' });
    const page = (await api.get('/v1/games', { key })).json() as { data: { id: string }[] };
    assert.deepEqual(
      page.data.map(({ id }) => id),
      games,
    );
  });
});
