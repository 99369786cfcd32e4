// Versions of final files over real HTTP: docs/settlement.md#versions-and-corrections; docs/interface.md#http-behaviour; interface,
// "Metering" 2. Every version stays readable, byte for byte; without `version` the newest is served.
import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { type FinalFile, finalDatasets, landFinals, landVersion } from '../../support/builders/final-files.ts';
import { lineRows, resultRows } from '../../support/builders/final-rows.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import {
  assertEarliestDecides,
  type Fault,
  type FaultyRequest,
  fault,
  faultless,
  faultsOfKeys,
  limiterByName,
} from '../../support/http/faults-together.ts';
import { randomFrom } from '../../support/parquet/rows.ts';

const settled = { uuid: uuidOf('settled'), gameId: 'NFL_DET_PHI_20260805', league: 'NFL' };
const live = 'NFL_SEA_SF_20260805';
const bare = 'NHL_BOS_NYR_20260805';

const path = (dataset: string, gameId = settled.gameId) => `/v1/games/${gameId}/${dataset}`;

/** Results whose first `corrected` rows are graded differently than before and whose last rows are missing. */
function correctedRows(corrected: number, count = 4) {
  return resultRows(settled)
    .slice(0, count)
    .map((row, at) => (at < corrected ? { ...row, result: 'push' as const, correction: 1 } : row));
}

/**
 * An API with a game that has three versions of its results and one of each other file, a live game, and a game without
 * anything.
 */
async function prepare(options: Parameters<typeof startApi>[0] = {}) {
  const api = await startApi(options);
  const to = { objects: api.objects, artifacts: api.catalog };
  api.catalog.addGame(settled);
  api.catalog.addGame({ uuid: uuidOf(bare), gameId: bare });
  await api.log(live).append(7);
  const finals = await landFinals(to, settled);
  const next = (version: number, rows: ReturnType<typeof resultRows>) =>
    landVersion(to, settled, { dataset: 'market-results', version, rows });
  const results = [finals['market-results'], await next(2, correctedRows(1)), await next(3, correctedRows(2, 3))];
  return { api, results, to };
}

let api: TestApi;
let results: readonly FinalFile[];

describe('the versions of a final file', () => {
  beforeAll(async () => {
    ({ api, results } = await prepare());
  });
  afterAll(() => api.close());

  const versionOf = (reply: Reply) => reply.headers['x-service-artifact-version'];

  it('without `version` the newest is served, and says which it is', async () => {
    const reply = await api.get(path('market-results'));
    assert.deepEqual([reply.status, reply.body, versionOf(reply)], [200, results[2]!.bytes, '3']);
    for (const dataset of finalDatasets.filter((name) => name !== 'market-results'))
      assert.equal(versionOf(await api.get(path(dataset))), '1', dataset);
  });

  it('each is served by its number like the newest: ETag, ranges, HEAD, conditions', async () => {
    for (const [at, { bytes, rows, landed }] of results.entries()) {
      const url = `${path('market-results')}?version=${at + 1}`;
      const etag = `"${landed.file.sha256}"`;
      const headOf = (reply: Reply) => [reply.status, reply.headers.etag, versionOf(reply)];
      const whole = await api.get(url);
      assert.deepEqual(headOf(whole), [200, etag, String(at + 1)]);
      assert.deepEqual(whole.body, bytes);
      assert.deepEqual(
        [whole.headers['x-service-rowcount'], whole.headers['accept-ranges'], whole.headers['cache-control']],
        [String(rows.length), 'bytes', 'private, max-age=5'],
      );
      const head = await api.get(url, { method: 'HEAD' });
      assert.deepEqual([...headOf(head), head.body.length], [...headOf(whole), 0]);
      assert.equal(head.headers['x-service-rowcount'], String(rows.length));
      const part = await api.get(url, { headers: { range: 'bytes=-8', 'if-range': etag } });
      assert.deepEqual(headOf(part), [206, etag, String(at + 1)]);
      assert.deepEqual(part.body, bytes.subarray(-8));
      const unchanged = await api.get(url, { headers: { 'if-none-match': etag } });
      assert.deepEqual([...headOf(unchanged), unchanged.body.length], [304, etag, String(at + 1), 0]);
      assertProblem(await api.get(url, { headers: { 'if-match': '"other"' } }), 'precondition-failed');
      assertProblem(await api.get(url, { headers: { range: 'bytes=9999999-' } }), 'range-not-satisfiable');
    }
    const stale = { 'if-none-match': `"${results[1]!.landed.file.sha256}"` };
    assert.equal((await api.get(path('market-results'), { headers: stale })).status, 200, 'the newest is another one');
  });

  it('each is charged by its own rows, at every read', async () => {
    const used = async () => (await api.ledger.usage('account')).usedRows;
    for (const [at, { rows }] of results.entries()) {
      const url = `${path('market-results')}?version=${at + 1}`;
      for (const headers of [{}, { range: 'bytes=0-0' }, {}]) {
        const before = await used();
        const reply = await api.get(url, { headers });
        assert.equal(reply.headers['x-service-debited'], String(rows.length));
        assert.equal((await used()) - before, rows.length);
      }
    }
    assert.deepEqual(
      results.map(({ rows }) => rows.length),
      [4, 4, 3],
    );
  });

  it('a number is an integer from 1 of up to 9 digits, else 400', async () => {
    for (const text of ['', '0', '000', '-1', '+1', '1.0', '1e0', 'newest', '0x1', '%201', '1234567890', '1&version=2'])
      assertProblem(await api.get(`${path('market-results')}?version=${text}`), 'validation-error');
    for (const text of ['1', '01', '000000001'])
      assert.equal(versionOf(await api.get(`${path('market-results')}?version=${text}`)), '1', text);
  });

  it('an unknown one is 404, its title like those of the others', async () => {
    for (const [dataset, version, title] of [
      ['market-results', 4, 'No market results of version 4 for this game'],
      ['market-results', 999_999_999, 'No market results of version 999999999 for this game'],
      ['game-state-timeline', 2, 'No game state timeline of version 2 for this game'],
    ] as const) {
      const problem = assertProblem(await api.get(`${path(dataset)}?version=${version}`), 'not-found');
      assert.equal(problem.title, title);
    }
  });

  it('what has no file has no version: 404 as without the number', async () => {
    for (const rest of ['?version=1', '/versions']) {
      const none = assertProblem(await api.get(path(`market-results${rest}`, bare)), 'not-found');
      assert.equal(none.title, 'No market results for this game');
      const lines = assertProblem(await api.get(path(`sportsbook-lines${rest}`, bare)), 'not-found');
      assert.equal(lines.title, 'No sportsbook lines for this game');
      const notFinal = assertProblem(await api.get(path(`sportsbook-lines${rest}`, live)), 'not-final');
      assert.equal(notFinal.game_id, live);
      const unknown = assertProblem(await api.get(path(`plays${rest}`)), 'not-found');
      assert.equal(unknown.title, 'Unknown dataset');
      const game = assertProblem(await api.get(path(`market-results${rest}`, 'NFL_A_B_20260101')), 'not-found');
      assert.equal(game.title, 'Game not found');
    }
  });

  it('are listed newest first, each with what a HEAD of its address says', async () => {
    const reply = await api.get(path('market-results/versions'));
    const { data } = reply.json() as { data: Record<string, unknown>[] };
    assert.deepEqual(
      data,
      [2, 1, 0].map((at) => ({
        version: at + 1,
        etag: `"${results[at]!.landed.file.sha256}"`,
        row_count: results[at]!.rows.length,
        bytes: results[at]!.bytes.length,
        landed_at: '2026-08-05T20:00:00.000000Z',
        reason: at === 0 ? 'settled' : `player-stats/01K1ZJ2M5Q8W3N7T4R6Y9B0C1D/${at + 1}`,
        url: `/v1/games/${settled.gameId}/market-results?version=${at + 1}`,
      })),
    );
    for (const { url, version, etag, row_count, bytes } of data) {
      const { headers } = await api.get(url as string, { method: 'HEAD' });
      assert.deepEqual(
        [headers.etag, headers['x-service-rowcount'], headers['content-length'], headers['x-service-artifact-version']],
        [etag, String(row_count), String(bytes), String(version)],
      );
    }
  });

  it('the list is of every dataset, under every form of the game id, free, and unchanged by its ETag', async () => {
    const used = (await api.ledger.usage('account')).usedRows;
    for (const dataset of finalDatasets) {
      const first = await api.get(path(`${dataset}/versions`));
      const count = dataset === 'market-results' ? 3 : 1;
      assert.equal((first.json() as { data: unknown[] }).data.length, count, dataset);
      assert.equal(first.headers['cache-control'], 'private, max-age=0');
      for (const id of [settled.gameId.toLowerCase(), settled.uuid])
        assert.deepEqual((await api.get(path(`${dataset}/versions`, id))).body, first.body);
      const headers = { 'if-none-match': first.headers.etag as string };
      assert.equal((await api.get(path(`${dataset}/versions`), { headers })).status, 304);
    }
    assertProblem(await api.get(`${path('market-results/versions')}?version=1`), 'validation-error');
    assert.equal((await api.ledger.usage('account')).usedRows, used);
  });

  it('older ones need neither the catalog nor the store once they are in memory', async () => {
    const urls = ['?version=1', '?version=2', '/versions'].map((rest) => path(`market-results${rest}`));
    for (const url of urls) await api.get(url);
    const calls = { ...api.catalog.calls };
    const { get } = api.objects;
    api.objects.get = () => Promise.reject(new Error('not asked'));
    for (const url of urls) assert.equal((await api.get(url)).status, 200);
    api.objects.get = get;
    assert.deepEqual(api.catalog.calls, calls);
  });
});

describe('a new version', () => {
  let one: TestApi;
  let two: TestApi;
  let to: Awaited<ReturnType<typeof prepare>>['to'];

  beforeEach(async () => {
    ({ api: one, to } = await prepare());
    two = await startApi({ catalog: one.catalog, objects: one.objects, clock: one.clock });
  });
  afterEach(async () => {
    await one.close();
    await two.close();
  });

  const newest = async (of: TestApi, dataset = 'market-results') => {
    const file = await of.get(path(dataset));
    const listed = (await of.get(path(`${dataset}/versions`))).json() as { data: { version: number; etag: string }[] };
    assert.deepEqual(
      [listed.data[0]?.etag, String(listed.data[0]?.version)],
      [file.headers.etag, file.headers['x-service-artifact-version']],
    );
    return Number(file.headers['x-service-artifact-version']);
  };
  const land = (version = 4, dataset = 'market-results') =>
    landVersion(to, settled, {
      dataset,
      version,
      rows:
        dataset === 'market-results'
          ? resultRows(settled).map((row) => ({ ...row, correction: version }))
          : lineRows(settled, 20 + version),
    });

  it('shows at once on instances that get the notice', async () => {
    for (const instance of [one, two]) assert.equal(await newest(instance), 3);
    await land();
    for (const instance of [one, two]) assert.equal(await newest(instance), 4);
  });

  it('of the sportsbook lines shows too, and the game stays final', async () => {
    for (const instance of [one, two]) assert.equal(await newest(instance, 'sportsbook-lines'), 1);
    await land(2, 'sportsbook-lines');
    for (const instance of [one, two]) {
      assert.equal(await newest(instance, 'sportsbook-lines'), 2);
      const problem = assertProblem(await instance.get(path('sportsbook-lines/board')), 'not-found');
      assert.equal(problem.reason, 'final_available');
    }
  });

  it('shows within five seconds on an instance without the notice', async () => {
    assert.equal(await newest(two), 3);
    one.catalog.announcing = false;
    await land();
    assert.equal(await newest(two), 3, 'of what it knows, which is younger than five seconds');
    one.clock.ahead += 5_000_000;
    assert.equal(await newest(two), 4);
  });

  it('is found by its number at once, and from then on it is the newest', async () => {
    assert.equal(await newest(two), 3);
    one.catalog.announcing = false;
    await land();
    const asked = await two.get(`${path('market-results')}?version=4`);
    assert.deepEqual([asked.status, asked.headers['x-service-artifact-version']], [200, '4']);
    assert.equal(await newest(two), 4);
  });

  it('is never taken back, even if the catalog loses it', async () => {
    await land();
    for (const instance of [one, two]) assert.equal(await newest(instance), 4);
    const all = one.catalog.artifacts.get(settled.uuid) ?? [];
    one.catalog.artifacts.set(
      settled.uuid,
      all.filter(({ version }) => version < 4),
    );
    for (const instance of [one, two]) {
      one.clock.ahead += 6_000_000;
      one.catalog.loseNotices();
      const reply = await instance.get(path('market-results'));
      assert.equal(reply.headers['x-service-artifact-version'], '4');
    }
  });

  it('with the bytes of an older one is a version of its own', async () => {
    const again = await landVersion(to, settled, { dataset: 'market-results', version: 4, rows: resultRows(settled) });
    const replies = [await one.get(path('market-results')), await one.get(`${path('market-results')}?version=1`)];
    assert.deepEqual(replies[0]!.body, replies[1]!.body);
    assert.deepEqual(replies[0]!.body, again.bytes);
    assert.deepEqual(
      replies.map(({ headers }) => headers['x-service-artifact-version']),
      ['4', '1'],
    );
  });

  // Claim: whatever the delays of reads and the loss of notices, no instance answers with an older version after a
  // newer one, in the file, its HEAD and the list. A violation would need a cache older than an earlier answer, such as
  // a list that is not read again.
  it('no race of landings and readers makes an instance serve an older version', async () => {
    const random = randomFrom(20_260_806);
    const pause = (most: number) => new Promise<void>((resolve) => setTimeout(resolve, random.below(most)));
    for (const call of ['served', 'versions'] as const) {
      const real = one.catalog[call].bind(one.catalog) as (...asked: unknown[]) => Promise<never>;
      one.catalog[call] = async (...asked: unknown[]) => {
        await pause(6);
        const seen = await real(...asked);
        await pause(6);
        return seen;
      };
    }
    const last = 20;
    const seen = new Map<TestApi, number>([
      [one, 0],
      [two, 0],
    ]);
    let rises = 0;
    let landed = 3;
    const reader = async () => {
      for (let more = 6; more > 0; ) {
        if (landed === last) more -= 1;
        const instance = random.pick([one, two]);
        const before = seen.get(instance) ?? 0;
        const found = random.below(3) === 0 ? await newestListed(instance) : await newestServed(instance);
        assert.ok(found >= before && found <= landed, `version ${found} after ${before}, of ${landed}`);
        if (found > (seen.get(instance) ?? 0)) {
          seen.set(instance, found);
          rises += 1;
        }
      }
    };
    const newestServed = async (instance: TestApi) => {
      const method = random.pick(['GET', 'HEAD']);
      const reply = await instance.get(path('market-results'), { method });
      return Number(reply.headers['x-service-artifact-version']);
    };
    const newestListed = async (instance: TestApi) => {
      const reply = await instance.get(path('market-results/versions'));
      return (reply.json() as { data: { version: number }[] }).data[0]?.version ?? 0;
    };
    const readers = Array.from({ length: 6 }, reader);
    for (let version = 4; version <= last; version += 1) {
      one.catalog.announcing = version % 3 !== 0;
      // What landed is visible from the landing on, even before `land` returns.
      landed = version;
      await land(version);
      if (version % 3 === 0) one.clock.ahead += 5_000_000;
      await pause(20);
    }
    await Promise.all(readers);
    one.clock.ahead += 5_000_000;
    for (const instance of [one, two]) assert.equal(await newest(instance), last);
    assert.ok(rises >= 4, `${rises} rises were seen`);
  });

  it('while the catalog is unreachable, versions in memory are served and others are 503', async () => {
    assert.equal(await newest(one), 3);
    one.catalog.state = 'down';
    assert.equal(await newest(one), 3);
    assert.equal((await one.get(`${path('market-results')}?version=2`)).status, 200);
    assertProblem(await one.get(`${path('market-results')}?version=4`), 'temporarily-unavailable');
    assertProblem(await one.get(path('closing-lines/versions')), 'temporarily-unavailable');
    one.catalog.state = 'up';
    assert.equal(await newest(one), 3);
  });
});

describe('the earliest check that refuses decides', () => {
  type Request = FaultyRequest & { game: string; rest: string };
  let etags: Record<string, string>;

  beforeAll(async () => {
    ({ api } = await prepare({ limiter: limiterByName, demoMonth: '2020-01' }));
    api.ledger.quotas.set('poor', 0);
    etags = {};
    for (const rest of ['market-results?version=2', 'market-results/versions'])
      etags[rest] = (await api.get(path(rest))).headers.etag as string;
  });
  afterAll(() => api.close());

  const faults = (kind: 'file' | 'list'): readonly Fault<Request>[] => [
    ...faultsOfKeys,
    fault('an unknown parameter', 'query', 400, 'validation-error', (request) => request.query.push('nonsense=1')),
    ...(kind === 'list'
      ? []
      : [
          fault<Request>('a malformed version', 'query', 400, 'validation-error', (request) => {
            request.query = ['version=0'];
          }),
        ]),
    fault('an unknown dataset', 'dataset', 404, 'not-found', (request) => {
      request.rest = request.rest.replace('market-results', 'nonsense');
    }),
    fault('an unknown game', 'game', 404, 'not-found', (request) => {
      request.game = 'NFL_DET_PHI_19990805';
    }),
    fault("a game outside the tier's history", 'tier', 403, 'history-restricted', (request) => {
      request.tier = 'DEMO';
    }),
    fault('a game without the file', 'game', 404, 'not-found', (request) => {
      request.game = bare;
    }),
    fault('a failed precondition', 'if-match', 412, 'precondition-failed', (request) => {
      request.headers['if-match'] = '"other"';
    }),
    fault('what the client has already', 'if-none-match', 304, null, (request) => {
      request.headers['if-none-match'] = etags[
        kind === 'file' ? 'market-results?version=2' : 'market-results/versions'
      ] as string;
    }),
    ...(kind === 'list'
      ? []
      : [
          fault<Request>('an exhausted quota', 'quota', 429, 'quota-exhausted', (request) => {
            request.poor = true;
          }),
        ]),
  ];

  for (const kind of ['file', 'list'] as const)
    for (const size of [0, 1, 2, 3])
      it(`of ${size} at a time, of the ${kind}`, async () => {
        const rest = kind === 'file' ? 'market-results' : 'market-results/versions';
        const request = () => ({
          ...faultless(),
          game: settled.gameId,
          rest,
          query: kind === 'file' ? ['version=2'] : [],
        });
        const target = (of: Request) => `/v1/games/${of.game}/${of.rest}`;
        const sets = await assertEarliestDecides({ api, faults: faults(kind), request, path: target }, size);
        assert.ok(sets >= [1, 14, 80, 250][size]!, `${sets} sets`);
      });
});
