// The API's dependencies fail, are slow or return wrong data: docs/durability.md#faults; I27, I28, I30. A failure is a 503 or 500 problem,
// never a short or wrong 200, and recovery is automatic.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import type { Log } from '../../../core/ports/telemetry.ts';
import type { FakeLog } from '../../support/fakes/api-fakes.ts';
import { assertProblem, pepper, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'MLB_STL_NYY_20260805';
const base = `/v1/games/${game}/sportsbook-lines`;

let api: TestApi;
let log: FakeLog;
let lines: string[];

beforeEach(async () => {
  lines = [];
  const write = (message: string, fields?: object) => lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const record: Log = { debug: write, info: write, warn: write, error: write };
  api = await startApi({ limits: { catalogDeadlineMs: 100, objectsDeadlineMs: 100 }, log: record });
  log = api.log(game);
  await log.append(7);
});
afterEach(() => api.close());

function assertUnavailable(reply: Reply): void {
  assertProblem(reply, 'temporarily-unavailable');
  assert.match(reply.headers['retry-after'] ?? '', /^[1-9][0-9]*$/);
}

/** Asserts that health reports this part only, and since when. */
function assertDegraded(reply: Reply, part: string): void {
  const { since, ...rest } = reply.json() as { since: Record<string, string> };
  assert.deepEqual([rest, Object.keys(since)], [{ status: 'ok', degraded: [part] }, [part]]);
  assert.match(since[part] ?? '', /^20.*Z$/);
}

for (const state of ['down', 'hanging'] as const) {
  describe(`while the catalog is ${state}`, () => {
    it('an unknown key is answered 503, never 401 or 403', async () => {
      api.catalog.state = state;
      assertUnavailable(await api.get('/v1/games'));
    });

    it('what cannot be resolved is answered 503, and recovers by itself', async () => {
      await api.get('/v1/games');
      api.catalog.state = state;
      for (const path of [
        '/v1/games',
        `/v1/games/${game}`,
        `${base}/segments`,
        `${base}/board`,
        `${base}/segments/1`,
        base,
        '/v1/games/MLB_A_B_20260101',
      ]) {
        assertUnavailable(await api.get(path));
      }
      api.catalog.state = 'up';
      assert.equal((await api.get(`${base}/segments`)).status, 200);
      assert.equal((await api.get('/v1/games')).status, 200);
    });

    it('what is in memory is served for five seconds, and then no longer', async () => {
      for (const path of ['/segments', '/board', '/segments/1?rows=5']) await api.get(base + path);
      api.catalog.state = state;
      for (const path of ['/segments', '/board', '/segments/1?rows=5'])
        assert.equal((await api.get(base + path)).status, 200);
      api.clock.ahead += 6_000_000;
      for (const path of ['/segments', '/board', '/segments/1?rows=5']) assertUnavailable(await api.get(base + path));
    });

    it('a 404 or 409 that only the catalog can decide is not answered', async () => {
      await api.get(`${base}/segments`);
      api.catalog.state = state;
      for (const path of ['/segments?cursor=9:9', '/segments/9', '/segments/1?rows=99', '/board/NOBODY']) {
        assertUnavailable(await api.get(base + path));
      }
    });

    it('/health answers and names the outage', async () => {
      assert.deepEqual((await api.get('/health')).json(), { status: 'ok', degraded: [] });
      api.catalog.state = state;
      await api.get('/v1/games');
      assertDegraded(await api.get('/health'), 'catalog');
      api.catalog.state = 'up';
      await api.get('/v1/games');
      assert.deepEqual((await api.get('/health')).json(), { status: 'ok', degraded: [] });
    });

    it('a key that was seen works', async () => {
      await api.get(`${base}/segments`);
      api.catalog.state = state;
      api.clock.ahead += 100_000_000;
      assert.notEqual((await api.get(`${base}/segments`)).status, 401);
      api.clock.ahead = 0;
    });
  });
}

it('a catalog that is down at the start is waited for, and followed once it is there', async (t) => {
  const late = await startApi({ limits: { catalogDeadlineMs: 100 } });
  t.onTestFinished(() => late.close());
  late.catalog.state = 'down';
  assertUnavailable(await late.get('/v1/games'));
  late.catalog.state = 'up';
  assert.equal((await late.get('/v1/games')).status, 200);
});

describe('while the object store', () => {
  const table: [string, TestApi['objects']['get']][] = [
    ['fails', () => Promise.reject(new Error('503 SlowDown'))],
    [
      'throws at once',
      () => {
        throw new Error('socket hang up');
      },
    ],
    ['never answers', () => new Promise(() => {})],
  ];
  for (const [name, get] of table) {
    it(`${name}, files are 503 and listings are served; it recovers by itself`, async () => {
      const real = api.objects.get;
      api.objects.get = get;
      for (const path of ['/segments/1?rows=5', '/segments/2', '/board/DRAFTKINGS']) {
        assertUnavailable(await api.get(base + path));
        assertUnavailable(await api.get(base + path, { headers: { range: 'bytes=0-1' } }));
      }
      assert.equal((await api.get(`${base}/segments`)).status, 200);
      assertDegraded(await api.get('/health'), 'objects');
      api.objects.get = real;
      assert.equal((await api.get(`${base}/segments/1?rows=5`)).body.toString().split('\n').length, 6);
      assert.deepEqual((await api.get('/health')).json(), { status: 'ok', degraded: [] });
    });
  }

  const damage: [string, (bytes: Uint8Array | null) => Uint8Array | null][] = [
    ['has lost a file', () => null],
    ['gives fewer bytes than asked', (bytes) => bytes?.subarray(0, 10) ?? null],
    ['gives more bytes than asked', (bytes) => Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.from('x')])],
    ['gives other bytes', (bytes) => bytes?.map((byte) => byte ^ 1) ?? null],
  ];
  for (const [name, spoil] of damage) {
    it(`${name}, it is 500 and never a 200`, async () => {
      const real = api.objects.get;
      api.objects.get = async (key, part) => spoil(await real(key, part));
      for (const headers of [{}, { range: 'bytes=0-3' }]) {
        for (const path of ['/segments/1?rows=5', '/segments/2', '/board/DRAFTKINGS']) {
          const problem = assertProblem(await api.get(base + path, { headers }), 'internal-error');
          assert.deepEqual(Object.keys(problem), ['type', 'title', 'status']);
        }
      }
      assert.ok(lines.some((line) => line.startsWith('committed file is damaged')));
      api.objects.get = real;
      assert.equal((await api.get(`${base}/segments/1?rows=5`)).status, 200);
    });
  }
});

describe('a defect', () => {
  it('is a 500 without details; the log has them under the request id', async () => {
    api.catalog.list = () => Promise.reject(new TypeError('secret table at /srv/app/core.ts:7'));
    api.catalog.find = () => {
      throw new TypeError('secret table at /srv/app/core.ts:7');
    };
    for (const path of ['/v1/games', `/v1/games/${game}`, `${base}/segments`]) {
      const reply = await api.get(path, { headers: { 'x-request-id': 'mine-1' } });
      const problem = assertProblem(reply, 'internal-error');
      assert.deepEqual(Object.keys(problem), ['type', 'title', 'status']);
      assert.equal(reply.headers['x-request-id'], 'mine-1');
    }
    assert.equal(lines.filter((line) => line.includes('secret table') && line.includes('mine-1')).length, 3);
  });

  it('of data in the catalog is a 500 and not an invented answer', async () => {
    api.catalog.games[0]!.status = 'NONSENSE';
    assertProblem(await api.get(`/v1/games/${game}`), 'internal-error');
  });
});

it('no key is written to the log, whatever fails', async () => {
  const canary = api.catalog.mint(pepper);
  for (const state of ['up', 'down', 'hanging'] as const) {
    api.catalog.state = state;
    for (const path of [
      '/v1/games',
      `${base}/segments`,
      `${base}/segments/1`,
      `/v1/games/${canary}`,
      `/v1/games?team=${canary}`,
      '/nonsense',
    ]) {
      const reply = await api.get(path, { key: canary });
      if (reply.status >= 400) assert.ok(!reply.body.includes(canary), path);
    }
  }
  assert.ok(lines.length > 0);
  assert.ok(!lines.some((line) => line.includes(canary.slice(9, 40))));
});

describe('a client that goes away', () => {
  it('in the middle of an answer leaves the others untouched', async () => {
    const released = Promise.withResolvers<void>();
    const real = api.objects.get;
    api.objects.get = async (key, part) => {
      await released.promise;
      return real(key, part);
    };
    const { connect } = await import('node:net');
    const { hostname, port } = new URL(api.url);
    for (let client = 0; client < 5; client += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`GET ${base}/segments/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`, () => {
            socket.destroy();
            resolve();
          });
        });
      });
    }
    const patient = api.get(`${base}/segments/1`);
    released.resolve();
    assert.equal((await patient).status, 200);
  });
});

it('closing lets answers in progress end, and accepts no more requests', async (t) => {
  const other = await startApi();
  t.onTestFinished(() => other.close());
  await other.log('MLB_A_B_20260805').append(3);
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const real = other.objects.get;
  other.objects.get = async (key, part) => {
    entered.resolve();
    await released.promise;
    return real(key, part);
  };
  const underWay = other.get('/v1/games/MLB_A_B_20260805/sportsbook-lines/segments/1');
  await entered.promise;
  const closing = other.close();
  released.resolve();
  assert.equal((await underWay).status, 200);
  await closing;
  await assert.rejects(other.get('/health'));
});
