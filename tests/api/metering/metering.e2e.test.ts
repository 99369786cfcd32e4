// Metering over real HTTP: docs/metering.md#what-a-read-costs and the `quota-exhausted` problem; docs/metering.md#the-ledger; invariants I22–I24.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'vitest';
import type { Owed } from '../../../api/metering/grace.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { MemoryJournal } from '../../support/fakes/memory-journal.ts';
import { assertProblem, pepper, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { until } from '../../support/services/until.ts';

const game = 'MLB_STL_NYY_20260805';
const base = `/v1/games/${game}/sportsbook-lines`;
const account = 'account';

let api: TestApi;
let log: ReturnType<TestApi['log']>;
const owed = new MemoryJournal<Owed>();

async function start(options: Parameters<typeof startApi>[0] = {}): Promise<void> {
  api = await startApi({ owed, limits: { ledgerPauseMs: 5 }, ...options });
  log = api.log(game);
  await log.append(7);
}
beforeEach(() => start());
afterEach(() => api.close());

const used = async () => (await api.ledger.usage(account)).usedRows;
const priceOf = ({ status, headers }: Reply) => [status, headers['x-service-rowcount'], headers['x-service-debited']];

describe('a live segment', () => {
  it('is charged for the part of its row count that was not charged this month', async () => {
    assert.deepEqual(priceOf(await api.get(`${base}/segments/2`)), [200, '2', '2']);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/2`)), [200, '2', '0']);
    await log.append(2);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/2?rows=4`)), [200, '4', '2']);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/2?rows=2`)), [200, '2', '0']);
    assert.deepEqual(
      priceOf(await api.get(`${base}/segments/1?rows=1`)),
      [200, '5', '5'],
      'the served rows count, not the requested ones',
    );
    assert.equal(await used(), 9);
  });

  it('is charged alike by ranges, and by every key of the account', async () => {
    const range = { headers: { range: 'bytes=0-3' } };
    assert.deepEqual(priceOf(await api.get(`${base}/segments/1`, range)), [206, '5', '5']);
    const key = api.catalog.mint(pepper);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/1`, { key })), [200, '5', '0']);
    const other = api.catalog.mint(pepper, { accountId: 'other' });
    assert.deepEqual(priceOf(await api.get(`${base}/segments/1`, { ...range, key: other })), [206, '5', '5']);
    assert.equal(await used(), 5);
  });

  it('of a rebuilt log is charged beyond what was paid for the game', async () => {
    for (const seq of [1, 2]) await api.get(`${base}/segments/${seq}`);
    assert.equal(await used(), 7);
    await log.rebuild(9);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/3`)), [200, '5', '0']);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/4`)), [200, '4', '2']);
    assert.equal(await used(), 9);
  });
});

describe('a board', () => {
  it('is free while its weight is 0', async () => {
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(priceOf(await api.get(`${base}/board/DRAFTKINGS`)), [200, '3', '0']);
    assert.deepEqual(api.ledger.calls, [], 'the ledger is not asked');
  });

  it('costs its rows times the weight, rounded down, each time', async () => {
    await api.close();
    await start({ boardWeightMillionths: 500_000 });
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(priceOf(await api.get(`${base}/board/DRAFTKINGS`)), [200, '3', '1']);
    const range = { headers: { range: 'bytes=0-3' } };
    assert.deepEqual(priceOf(await api.get(`${base}/board/DRAFTKINGS`, range)), [206, '3', '1']);
    assert.equal(await used(), 3);
    const { items } = await api.ledger.items(account, null);
    assert.deepEqual(items, [{ kind: 'board', gameId: game, dataset: 'sportsbook-lines', reads: 3, rows: 3 }]);
  });
});

describe('a file of a settled game', () => {
  it('is charged in full each time, ranges too', async () => {
    const { uuid } = api.catalog.games[0] as { uuid: string };
    await landFinals({ objects: api.objects, artifacts: api.catalog }, { uuid, gameId: game, league: 'MLB' });
    const path = `/v1/games/${game}/closing-lines`;
    const { headers } = await api.get(path, { method: 'HEAD' });
    const rows = Number(headers['x-service-rowcount']);
    assert.equal(await used(), 0);
    for (const range of [{}, { range: 'bytes=0-3' }, { range: 'bytes=-8' }]) {
      const reply = await api.get(path, { headers: range });
      assert.deepEqual(priceOf(reply).slice(1), [String(rows), String(rows)]);
    }
    assert.equal(await used(), 3 * rows);
    const { items } = await api.ledger.items(account, null);
    assert.deepEqual(items, [{ kind: 'file', gameId: game, dataset: 'closing-lines', reads: 3, rows: 3 * rows }]);
  });
});

describe('nothing is debited', () => {
  it('for HEAD, 304, 404, 409, 412, 416, 400, listings and /v1/me', async () => {
    const { headers } = await api.get(`${base}/segments/1`);
    const before = await used();
    const etag = headers.etag as string;
    const free: [string, Parameters<TestApi['get']>[1], number][] = [
      [`${base}/segments/2`, { method: 'HEAD' }, 200],
      [`${base}/segments/1`, { headers: { 'if-none-match': etag } }, 304],
      [`${base}/segments/2`, { headers: { 'if-none-match': '*' } }, 304],
      [`${base}/segments/2?rows=99`, {}, 409],
      [`${base}/segments?cursor=9:9`, {}, 409],
      [`${base}/segments/77`, {}, 404],
      [`${base}/segments/2`, { headers: { 'if-match': '"x"' } }, 412],
      [`${base}/segments/2`, { headers: { range: 'bytes=99999-' } }, 416],
      [`${base}/segments/2`, { headers: { range: 'bytes=x' } }, 400],
      [`${base}/segments/2?x=1`, {}, 400],
      [`${base}/segments/2`, { key: null }, 401],
      [`${base}/segments`, {}, 200],
      [`${base}/board`, {}, 200],
      [base, {}, 404],
      ['/v1/games', {}, 200],
      ['/v1/datasets', {}, 200],
      ['/v1/me', {}, 200],
    ];
    const calls = api.ledger.calls.length;
    for (const [path, options, status] of free) {
      const reply = await api.get(path, options);
      assert.equal(reply.status, status, path);
      assert.ok([undefined, '0'].includes(reply.headers['x-service-debited']), path);
    }
    assert.equal(api.ledger.calls.length, calls);
    assert.equal(await used(), before);
  });

  it('for a file whose bytes cannot be had', async () => {
    const { get } = api.objects;
    api.objects.get = () => Promise.reject(new Error('the store is down'));
    assertProblem(await api.get(`${base}/segments/1`), 'temporarily-unavailable');
    assert.equal(await used(), 0);
    api.objects.get = get;
    assert.deepEqual(priceOf(await api.get(`${base}/segments/1`)), [200, '5', '5']);
  });
});

describe('the quota', () => {
  beforeEach(() => api.ledger.quotas.set(account, 6));

  it('is hard: 429 with reset and upgrade_url, no rows and no debit; the rest goes on', async () => {
    await api.get(`${base}/segments/1`);
    const reply = await api.get(`${base}/segments/2`);
    const problem = assertProblem(reply, 'quota-exhausted');
    assert.deepEqual([problem.reset, problem.upgrade_url], ['2026-09-01', 'https://api.example.test/docs#tiers']);
    assert.equal(reply.headers['retry-after'], undefined, 'retrying does not help');
    assert.equal(reply.headers['x-service-debited'], undefined);
    assert.equal(await used(), 5);
    for (const path of [`${base}/segments/1`, `${base}/segments`, `${base}/board`, '/v1/games'])
      assert.equal((await api.get(path)).status, 200, path);
    const me = (await api.get('/v1/me')).json() as { quota: Record<string, unknown> };
    assert.deepEqual(me.quota, { monthly_rows: 6, used_rows: 5, resets: '2026-09-01' });
    assert.equal((await api.get(`${base}/segments/2`, { method: 'HEAD' })).status, 200);
    api.ledger.now = Date.UTC(2026, 8, 1) * 1000;
    api.clock.ahead += 31 * 24 * 3_600_000_000;
    assert.deepEqual(priceOf(await api.get(`${base}/segments/2`)), [200, '2', '2']);
  });

  it('is never exceeded by readers who race', async () => {
    await log.append(60);
    api.ledger.quotas.set(account, 31);
    const paths = Array.from({ length: 120 }, (_, index) => `${base}/segments/${1 + (index % 14)}`);
    const replies = await Promise.all(paths.map((path) => api.get(path)));
    const debited = replies.reduce((sum, { headers }) => sum + Number(headers['x-service-debited'] ?? 0), 0);
    assert.equal(await used(), debited);
    assert.ok(debited <= 31 && debited > 26, `${debited}`);
    for (const { status } of replies) assert.ok(status === 200 || status === 429);
    assert.equal(replies.filter(({ status }) => status === 429).length > 0, true);
  });
});

it('a client that leaves in the middle has paid for its rows, once', async () => {
  for (let time = 0; time < 5; time += 1) {
    await new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(api.url);
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${base}/segments/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`),
      );
      socket.once('data', () => socket.destroy());
      socket.once('close', () => resolve());
      socket.once('error', reject);
    });
  }
  await until('the first is charged', async () => (await used()) > 0);
  assert.deepEqual(priceOf(await api.get(`${base}/segments/1`)), [200, '5', '0']);
  assert.equal(await used(), 5);
});

describe('while the ledger is unreachable', () => {
  it('paid rows are served, others on grace and journaled before the first byte, then 503', async () => {
    await api.close();
    await start({ boardWeightMillionths: 10_000_000_000 });
    await api.get(`${base}/segments/1`);
    api.ledger.state = 'down';
    assert.deepEqual(priceOf(await api.get(`${base}/segments/1`)), [200, '5', '0']);
    assert.deepEqual(priceOf(await api.get(`${base}/segments/2`)), [200, '2', '2']);
    assert.deepEqual(
      owed.entries.map(({ read, debit }) => [read.kind, read.rows, debit]),
      [['live', 2, 2]],
    );
    assert.deepEqual(priceOf(await api.get(`${base}/board/DRAFTKINGS`)), [200, '3', '30000']);
    const reply = await api.get(`${base}/board/DRAFTKINGS`);
    assertProblem(reply, 'temporarily-unavailable');
    assert.equal(reply.headers['retry-after'], '1');
    const me = (await api.get('/v1/me')).json() as { quota: Record<string, unknown> };
    assert.equal(me.quota.used_rows, 0);
    api.ledger.state = 'up';
    await until('it is debited', () => owed.entries.length === 0);
    assert.equal(await used(), 30_007);
  });
});

it('items name games and datasets, and add up', async () => {
  await api.get(`${base}/segments/1`);
  await api.get(`${base}/segments/2`);
  const { usedRows, items } = await api.ledger.items(account, null);
  assert.equal(usedRows, 7);
  assert.deepEqual(items, [{ kind: 'live', gameId: game, dataset: 'sportsbook-lines', reads: 2, rows: 7 }]);
});
