// The files of settled games over real HTTP, sentence by sentence: docs/interface.md#final-files; docs/interface.md#from-live-to-final;
// docs/metering.md#what-a-read-costs; invariants I4, I5, I16 and I24. What ranges and preconditions do is shown for all kinds
// of files in api/files/files.e2e.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { fileMetadata } from '../../../core/parquet/file-metadata.ts';
import { readFooter } from '../../../core/parquet/footer.ts';
import type { ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import type { Log } from '../../../core/ports/telemetry.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';
import { type Finals, finalDatasets, landFinals } from '../../support/builders/final-files.ts';
import { lineRows } from '../../support/builders/final-rows.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { assertProblem, pepper, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { DuckDb, rowsOfUrlByHyparquet } from '../../support/parquet/readers.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';
import { ownDelay } from '../../support/processes/own-time.ts';

const settled = { uuid: uuidOf('settled'), gameId: 'NFL_DET_PHI_20260805', league: 'NFL' };
const live = 'NFL_SEA_SF_20260805';
const bare = 'NHL_BOS_NYR_20260805';
const partly = { uuid: uuidOf('partly'), gameId: 'NBA_BOS_LAL_20260805', league: 'NBA' };

const path = (dataset: string, gameId = settled.gameId) => `/v1/games/${gameId}/${dataset}`;
const liveRoutes = (gameId: string) =>
  ['segments', 'segments/1', 'board', 'board/DRAFTKINGS'].map((rest) => path(`sportsbook-lines/${rest}`, gameId));

type SchemaDocument = {
  columns: { name: string; type: string; logical_type: string | null; nullable: boolean }[];
  primary_key: string[];
  row: { properties: Record<string, unknown> };
};

/** DuckDB's names for the types in schema documents. */
const duckDbNames: Readonly<Record<string, string>> = {
  utf8: 'VARCHAR',
  int32: 'INTEGER',
  int64: 'BIGINT',
  bool: 'BOOLEAN',
  date: 'DATE',
  'timestamp(micros,utc)': 'TIMESTAMP WITH TIME ZONE',
};

/** DuckDB's name of a decimal or a list. */
function duckDbName(logical: string, stored: string): string {
  return logical === 'list' ? `${duckDbNames[/<(\w+)>/.exec(stored)?.[1] ?? '']}[]` : logical.toUpperCase();
}

describe('files of settled games', () => {
  let api: TestApi;
  let finals: Finals;

  beforeAll(async () => {
    api = await startApi();
    for (const game of [settled, partly, { uuid: uuidOf(bare), gameId: bare }]) api.catalog.addGame(game);
    await api.log(live).append(7);
    const to = { objects: api.objects, artifacts: api.catalog };
    finals = await landFinals(to, settled);
    await landFinals(to, partly, { datasets: ['closing-lines', 'market-results'] });
  });
  afterAll(() => api.close());

  describe('a file of each dataset', () => {
    for (const dataset of finalDatasets) {
      it(`${dataset}: 200 is the complete Parquet file with its ETag, Accept-Ranges and row count`, async () => {
        const { bytes, rows } = finals[dataset];
        const { status, headers, body } = await api.get(path(dataset));
        assert.equal(status, 200, body.toString());
        assert.deepEqual(body, bytes);
        assert.deepEqual(parquetWriter.decode(dataset, body), rows);
        assert.equal(headers['content-type'], 'application/vnd.apache.parquet');
        assert.equal(headers['content-length'], String(bytes.length));
        assert.equal(headers.etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
        assert.equal(headers['accept-ranges'], 'bytes');
        assert.equal(headers['x-service-rowcount'], String(rows.length));
        assert.equal(headers['cache-control'], 'private, max-age=5');
        assert.equal(headers.vary, 'Authorization');
        assert.equal(headers['content-encoding'], undefined);
        assert.equal(headers['content-disposition'], undefined);
      });
    }

    it('is the same under the game id in any case and under its UUID, without a redirect', async () => {
      for (const id of [
        settled.gameId.toLowerCase(),
        'nfl_Det_pHi_20260805',
        settled.uuid,
        settled.uuid.toUpperCase(),
      ]) {
        const reply = await api.get(path('closing-lines', id));
        assert.deepEqual([reply.status, reply.body], [200, finals['closing-lines'].bytes], id);
      }
    });

    it('is of exactly the columns that segments have', async () => {
      const { body } = await api.get(path('sportsbook-lines'));
      const facts = { dataset: 'sportsbook-lines', schemaVersion: 'v1', file: 'segment', seq: 1 } as const;
      const segment = parquetWriter.encode('sportsbook-lines', lineRows(settled, 3), fileMetadata(facts));
      assert.deepEqual(
        readFooter(Uint8Array.from(body)).schema,
        readFooter(segment).schema,
        'names, types, nullability, order',
      );
      assert.deepEqual(
        Object.keys(parquetWriter.decode('sportsbook-lines', body)[0] ?? {}),
        datasets.find(({ name }) => name === 'sportsbook-lines')?.columns.map(({ name }) => name),
      );
      const metadata = Object.fromEntries(readFooter(body).metadata);
      assert.deepEqual(
        [metadata['sds.dataset'], metadata['sds.file'], metadata['sds.game_id'], metadata['sds.row_count']],
        ['sportsbook-lines', 'final', settled.gameId, String(finals['sportsbook-lines'].rows.length)],
      );
    });

    for (const dataset of datasets.filter(({ kind }) => kind === 'per_game')) {
      it(`${dataset.name}: a reader of other people reads it over HTTP, by HEAD and ranges`, async () => {
        const headers = { authorization: `Bearer ${api.key}` };
        const rows = await rowsOfUrlByHyparquet(api.url + path(dataset.name), headers, dataset);
        assertSameRows(rows, finals[dataset.name as keyof Finals].rows);
      });
    }

    for (const dataset of finalDatasets) {
      it(`${dataset}: is exactly as its schema document says, by DuckDB: names, types, nullability, key, order`, async (t) => {
        const folder = mkdtempSync(join(tmpdir(), 'schema-'));
        const duckDb = await DuckDb.open();
        t.onTestFinished(() => {
          duckDb.close();
          rmSync(folder, { recursive: true });
        });
        const file = join(folder, `${dataset}.parquet`);
        writeFileSync(file, (await api.get(path(dataset))).body);
        const schema = (await api.get(`/v1/datasets/${dataset}/schema`, { key: null })).json() as SchemaDocument;
        assert.deepEqual(
          await duckDb.columns(file),
          schema.columns.map(({ name, type, logical_type, nullable }) => ({
            name,
            type: duckDbNames[logical_type ?? type] ?? duckDbName(logical_type ?? type, type),
            nullable,
          })),
        );
        const rows = await duckDb.rows(file);
        const valuesOf = (row: Record<string, unknown>, names: readonly string[]) =>
          JSON.stringify(names.map((name) => row[name]));
        assert.equal(new Set(rows.map((row) => valuesOf(row, schema.primary_key))).size, rows.length, 'the key is one');
        for (const { name } of schema.columns) {
          const { enum: values } = schema.row.properties[name] as { enum?: unknown[] };
          if (values !== undefined)
            for (const row of rows) assert.ok(values.includes(row[name]), `${name} ${row[name]}`);
        }
      });
    }

    it('serves all rows: no query selects some of them', async () => {
      for (const query of ['limit=1', 'cursor=1:1', 'rows=5', 'operator=DRAFTKINGS', 'limit', '__proto__=1']) {
        assertProblem(await api.get(`${path('closing-lines')}?${query}`), 'validation-error');
      }
    });

    it('without rows is a valid file', async () => {
      const game = { uuid: uuidOf('empty'), gameId: 'NBA_NYK_CHI_20260805', league: 'NBA' };
      api.catalog.addGame(game);
      await landFinals({ objects: api.objects, artifacts: api.catalog }, game, { lines: [] });
      const reply = await api.get(path('sportsbook-lines', game.gameId));
      assert.deepEqual([reply.status, reply.headers['x-service-rowcount']], [200, '0']);
      assert.deepEqual(parquetWriter.decode('sportsbook-lines', reply.body), []);
    });

    it('needs neither the catalog nor the store once it is in memory', async () => {
      await api.clock.still(async () => {
        await api.get(path('market-results'));
        const calls = { ...api.catalog.calls };
        const { get } = api.objects;
        api.objects.get = () => Promise.reject(new Error('not asked'));
        for (let round = 0; round < 5; round += 1) assert.equal((await api.get(path('market-results'))).status, 200);
        api.objects.get = get;
        assert.deepEqual(api.catalog.calls, calls);
      });
    });

    it('costs neither for HEAD nor for a 304 a read of the store', async () => {
      const { get } = api.objects;
      api.objects.get = () => Promise.reject(new Error('not asked'));
      const url = path('game-state-timeline', partly.gameId);
      const game = { uuid: uuidOf('unread'), gameId: 'NBA_MIA_ORL_20260805', league: 'NBA' };
      api.catalog.addGame(game);
      const unread = await landFinals({ objects: api.objects, artifacts: api.catalog }, game);
      const head = await api.get(path('closing-lines', game.gameId), { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length, head.headers['x-service-rowcount']], [200, 0, '4']);
      assert.equal(head.headers.etag, `"${unread['closing-lines'].landed.file.sha256}"`);
      const headers = { 'if-none-match': head.headers.etag as string };
      const unchanged = await api.get(path('closing-lines', game.gameId), { headers });
      assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
      assertProblem(await api.get(url), 'not-found');
      api.objects.get = get;
    });
  });

  describe('404', () => {
    it('an unknown dataset: title `Unknown dataset`, `detail` lists the known names; before the game is looked for', async () => {
      const names = [
        'nonsense',
        'plays',
        'game-state',
        'Closing-Lines',
        'closing-lines%20',
        'closing_lines',
        '__proto__',
      ];
      for (const name of names) {
        for (const id of [settled.gameId, live, 'NFL_A_B_20260101', 'no-id']) {
          const problem = assertProblem(await api.get(path(name, id)), 'not-found');
          assert.equal(problem.title, 'Unknown dataset', name);
          for (const dataset of finalDatasets) assert.match(problem.detail as string, new RegExp(dataset));
        }
      }
    });

    it('a game id that does not resolve: title `Game not found`', async () => {
      for (const id of ['NFL_A_B_20260101', 'no-id', uuidOf('nobody'), 'NFL_DET_PHI_20260805_2', '%00', '..%2f']) {
        for (const dataset of finalDatasets) {
          assert.equal(assertProblem(await api.get(path(dataset, id)), 'not-found').title, 'Game not found', id);
        }
      }
    });

    it('no artifact: title `No <dataset description> for this game`', async () => {
      const titles = {
        'closing-lines': 'No closing lines for this game',
        'game-state-timeline': 'No game state timeline for this game',
        'market-results': 'No market results for this game',
        'sportsbook-lines': 'No sportsbook lines for this game',
      };
      for (const dataset of finalDatasets) {
        const problem = assertProblem(await api.get(path(dataset, bare)), 'not-found');
        assert.equal(problem.title, titles[dataset]);
        assert.equal(problem.reason, undefined);
      }
      for (const dataset of finalDatasets.filter((name) => name !== 'sportsbook-lines')) {
        assert.equal(assertProblem(await api.get(path(dataset, live)), 'not-found').title, titles[dataset]);
      }
    });

    it('sportsbook-lines of a game still served live: `not-final` with `game_id` and the live URLs', async () => {
      for (const id of [live, live.toLowerCase(), uuidOf(live)]) {
        const problem = assertProblem(await api.get(path('sportsbook-lines', id)), 'not-final');
        const { type, title, status, ...members } = problem;
        assert.deepEqual(members, {
          game_id: live,
          live: {
            segments: `/v1/games/${live}/sportsbook-lines/segments`,
            board: `/v1/games/${live}/sportsbook-lines/board`,
          },
        });
        for (const url of Object.values(members.live as Record<string, string>)) {
          assert.equal((await api.get(url)).status, 200, url);
        }
      }
    });

    it('files that have landed do not make a game final while its sportsbook lines have not', async () => {
      for (const dataset of ['closing-lines', 'market-results']) {
        assert.equal((await api.get(path(dataset, partly.gameId))).status, 200);
      }
      const none = assertProblem(await api.get(path('sportsbook-lines', partly.gameId)), 'not-found');
      assert.equal(none.title, 'No sportsbook lines for this game');
      for (const url of liveRoutes(partly.gameId)) {
        assert.equal(assertProblem(await api.get(url), 'not-found').reason, 'no_live_artifact', url);
      }
    });
  });

  describe('the live routes of a final game', () => {
    const urls = [
      ...liveRoutes(settled.gameId),
      path('sportsbook-lines/segments?cursor=0:0'),
      path('sportsbook-lines/segments?cursor=99:1'),
      path('sportsbook-lines/segments/1?rows=999999'),
      path('sportsbook-lines/segments/nonsense'),
      path('sportsbook-lines/board/nobody'),
      path('sportsbook-lines/board/draftkings', settled.gameId.toLowerCase()),
    ];
    it('answer 404 with `reason: final_available` and `final` naming the dataset route, whatever position is asked for', async () => {
      for (const url of urls) {
        for (const method of ['GET', 'HEAD']) {
          const reply = await api.get(url, { method });
          if (method === 'HEAD') {
            assert.deepEqual([reply.status, reply.body.length], [404, 0]);
            continue;
          }
          const problem = assertProblem(reply, 'not-found');
          assert.deepEqual([problem.reason, problem.final], ['final_available', path('sportsbook-lines')], url);
          assert.equal((await api.get(problem.final as string)).status, 200);
        }
      }
    });

    it('still refuse what is malformed first', async () => {
      for (const query of ['segments?cursor=nonsense', 'segments?x=1', 'segments/1?rows=0', 'board?x']) {
        assertProblem(await api.get(path(`sportsbook-lines/${query}`)), 'validation-error');
      }
    });
  });

  describe('what a read costs', () => {
    const used = async () => (await api.ledger.usage('account')).usedRows;
    const large = path('sportsbook-lines');

    it('the full row count, per request and also for a range, shown in X-Service-Debited', async () => {
      const { rows } = finals['sportsbook-lines'];
      for (const [headers, status] of [
        [{}, 200],
        [{}, 200],
        [{ range: 'bytes=0-0' }, 206],
        [{ range: 'bytes=-8' }, 206],
        [{ range: 'bytes=0-0,2-2' }, 200],
        [{ range: 'bytes=0-0', 'if-range': '"other"' }, 200],
        [{ 'if-none-match': '"other"' }, 200],
      ] as const) {
        const before = await used();
        const reply = await api.get(large, { headers });
        assert.deepEqual(
          [reply.status, reply.headers['x-service-rowcount'], reply.headers['x-service-debited']],
          [status, String(rows.length), String(rows.length)],
        );
        assert.equal((await used()) - before, rows.length);
      }
    });

    it('nothing for HEAD, 304, 400, 404, 412 and 416', async () => {
      const etag = `"${finals['sportsbook-lines'].landed.file.sha256}"`;
      const before = await used();
      for (const [url, options, status] of [
        [large, { method: 'HEAD' }, 200],
        [large, { headers: { 'if-none-match': etag } }, 304],
        [large, { headers: { 'if-none-match': etag, range: 'bytes=0-1' } }, 304],
        [large, { headers: { 'if-match': '"other"' } }, 412],
        [large, { headers: { range: 'bytes=99999999-' } }, 416],
        [large, { headers: { range: 'bytes=x' } }, 400],
        [`${large}?x=1`, {}, 400],
        [path('nonsense'), {}, 404],
        [path('closing-lines', bare), {}, 404],
        [path('sportsbook-lines', live), {}, 404],
        [path('sportsbook-lines/segments'), {}, 404],
      ] as const) {
        const reply = await api.get(url, options);
        assert.equal(reply.status, status, url);
        assert.ok((reply.headers['x-service-debited'] ?? '0') === '0');
      }
      assert.equal(await used(), before);
    });

    it('a read that would pass the quota is refused whole, and a smaller one is not', async () => {
      const before = await used();
      api.ledger.quotas.set('account', before + 5);
      const key = api.catalog.mint(pepper);
      const refused = await api.get(large, { key, headers: { range: 'bytes=0-0' } });
      assertProblem(refused, 'quota-exhausted');
      assert.equal((await api.get(path('closing-lines'), { key })).headers['x-service-debited'], '4');
      assertProblem(await api.get(path('closing-lines'), { key }), 'quota-exhausted');
      assert.equal((await api.get(large, { key, method: 'HEAD' })).status, 200);
      assert.equal(await used(), before + 4);
      api.ledger.quotas.delete('account');
    });

    it('appears in the account as the game and the dataset that was read', async () => {
      const { items } = await api.ledger.items('account', null);
      const lines = items.filter(({ gameId }) => gameId === settled.gameId);
      assert.deepEqual(new Set(lines.map(({ kind }) => kind)), new Set(['file']));
      assert.ok(lines.some(({ dataset, rows }) => dataset === 'closing-lines' && rows > 0));
    });
  });

  it('of a game that was live replaces its live data at once, on every route', async () => {
    const game = 'MLB_ATL_CHC_20260805';
    const log = api.log(game);
    await log.append(12);
    const manifest = await api.get(path('sportsbook-lines/segments', game));
    for (const url of liveRoutes(game)) assert.equal((await api.get(url)).status, 200);
    const of = { uuid: uuidOf(game), gameId: game, league: 'MLB' };
    const { 'sportsbook-lines': final } = await landFinals({ objects: api.objects, artifacts: api.catalog }, of);
    assert.deepEqual((await api.get(path('sportsbook-lines', game))).body, final.bytes);
    for (const url of liveRoutes(game)) {
      const headers = { 'if-none-match': manifest.headers.etag as string };
      assert.equal(assertProblem(await api.get(url, { headers }), 'not-found').reason, 'final_available');
    }
    // A projector may commit anything after that.
    await log.append(3);
    for (const url of liveRoutes(game)) {
      assert.equal(assertProblem(await api.get(url), 'not-found').reason, 'final_available');
    }
  });
});

describe('a file while the store fails', () => {
  let api: TestApi;
  let objects: ObjectStore;
  let finals: Finals;
  let lines: string[];
  const small = path('closing-lines');
  const large = path('sportsbook-lines');

  beforeEach(async () => {
    lines = [];
    const write = (message: string, fields?: object) => lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    objects = openMemoryStore();
    api = await startApi({
      objects,
      log,
      limits: { objectsDeadlineMs: 100, largestKeptFile: 16_384, pieceBytes: 4_096 },
    });
    api.catalog.addGame(settled);
    finals = await landFinals({ objects, artifacts: api.catalog }, settled, { lines: lineRows(settled, 20_000) });
  });
  afterEach(() => api.close());

  const outages: [string, ObjectStore['get']][] = [
    ['fails', () => Promise.reject(new Error('503 SlowDown'))],
    ['never answers', () => new Promise(() => {})],
  ];
  for (const [name, get] of outages) {
    it(`${name}: 503 with Retry-After, never a short 200; it recovers by itself`, async () => {
      const real = objects.get;
      objects.get = get;
      for (const url of [small, large]) {
        for (const headers of [{}, { range: 'bytes=0-9' }]) {
          const reply = await api.get(url, { headers });
          assertProblem(reply, 'temporarily-unavailable');
          assert.match(reply.headers['retry-after'] ?? '', /^[1-9]/);
        }
        assert.equal((await api.get(url, { method: 'HEAD' })).status, 200);
      }
      assert.equal((await api.ledger.usage('account')).usedRows, 0);
      objects.get = real;
      assert.deepEqual((await api.get(small)).body, finals['closing-lines'].bytes);
      assert.deepEqual((await api.get(large)).body, finals['sportsbook-lines'].bytes);
    });
  }

  const damage: [string, (bytes: Uint8Array | null) => Uint8Array | null][] = [
    ['has lost it', () => null],
    ['has cut it short', (bytes) => bytes?.subarray(0, bytes.length - 1) ?? null],
    ['has other bytes', (bytes) => bytes?.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)) ?? null],
  ];
  for (const [name, spoil] of damage) {
    it(`${name}: 500 with a line in the log, and none of the bytes`, async () => {
      const real = objects.get;
      objects.get = async (key, part) => spoil(await real(key, part));
      for (const url of [small, large]) {
        for (const headers of [{}, { range: 'bytes=0-9' }]) {
          const reply = await api.get(url, { headers });
          assert.deepEqual(Object.keys(assertProblem(reply, 'internal-error')), ['type', 'title', 'status']);
        }
      }
      assert.equal((await api.ledger.usage('account')).usedRows, 0);
      assert.ok(lines.some((line) => line.startsWith('committed file is damaged')));
      objects.get = real;
      assert.equal((await api.get(large)).status, 200);
    });
  }

  it('fails in the middle of a large file: the connection is cut, never a clean short 200', async () => {
    await api.get(large);
    const real = objects.get;
    for (const failure of [
      () => Promise.reject(new Error('reset')),
      async (...asked: Parameters<ObjectStore['get']>) => (await real(...asked))?.map((byte) => byte ^ 1) ?? null,
    ]) {
      objects.get = (key, part) => (part !== undefined && part.offset >= 40_960 ? failure(key, part) : real(key, part));
      await assert.rejects(api.get(large), /aborted|socket hang up|ECONNRESET/);
      const raw = await api.raw(`GET ${large} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
      const body = Buffer.from(raw.slice(raw.indexOf('\r\n\r\n') + 4), 'latin1');
      assert.ok(body.length <= 40_960, 'a reset may take with it what was sent before');
      assert.deepEqual(body, finals['sportsbook-lines'].bytes.subarray(0, body.length));
    }
    objects.get = real;
    assert.deepEqual((await api.get(large)).body, finals['sportsbook-lines'].bytes);
  });

  it('a client that goes away before its bytes are at hand pays nothing', async () => {
    const real = objects.get;
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    objects.get = async (key, part) => {
      reached.resolve();
      await gate.promise;
      return real(key, part);
    };
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${small} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
    await reached.promise;
    await new Promise<void>((resolve) => socket.destroy().once('close', () => resolve()));
    for (let turn = 0; turn < 3; turn += 1) assert.equal((await api.get('/health')).status, 200);
    gate.resolve();
    objects.get = real;
    const read = await api.get(small);
    assert.deepEqual([read.status, read.headers['x-service-debited']], [200, '4']);
    assert.equal((await api.ledger.usage('account')).usedRows, 4, 'that of the one who waited');
  });

  it('a client that goes away in the middle leaves no read behind and the others untouched', async () => {
    await api.get(large);
    const real = objects.get;
    let reads = 0;
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    objects.get = async (key, part) => {
      reads += 1;
      if (reads === 3) {
        reached.resolve();
        await gate.promise;
      }
      return real(key, part);
    };
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${large} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
    await reached.promise;
    await new Promise<void>((resolve) => socket.destroy().once('close', () => resolve()));
    // The server notices the end of a connection before it answers the client's next request.
    assert.equal((await api.get(small)).status, 200);
    gate.resolve();
    const before = reads;
    assert.deepEqual((await api.get(large)).body, finals['sportsbook-lines'].bytes);
    const pieces = Math.ceil(finals['sportsbook-lines'].bytes.length / 4_096);
    assert.ok(reads - before <= pieces + 1, `${reads - before} reads for ${pieces} pieces`);
    objects.get = real;
  });
});

it('a reader that takes nothing of a large file holds one piece of it, until its connection is cut', async (t) => {
  const objects = openMemoryStore();
  const served: Socket[] = [];
  const api = await startApi({
    objects,
    limits: { largestKeptFile: 16_384, pieceBytes: 262_144 },
    cutSlowReaders: (server) => server.on('connection', (socket) => served.push(socket)),
  });
  t.onTestFinished(() => api.close());
  api.catalog.addGame(settled);
  // More than the connection's buffers on this machine hold.
  const bytes = Buffer.alloc(24 * 1024 * 1024, 7);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await objects.put('finals/heavy', bytes);
  const file = { key: 'finals/heavy' as ObjectKey, offset: 0, size: bytes.length, sha256 };
  await api.catalog.land(settled.uuid, [{ dataset: 'sportsbook-lines', version: 1, rows: 1, file, reason: 'settled' }]);
  assert.equal((await api.get(path('sportsbook-lines'), { headers: { range: 'bytes=0-0' } })).status, 206);
  let reads = 0;
  const real = objects.get;
  objects.get = (key, part) => {
    reads += 1;
    return real(key, part);
  };
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  t.onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`GET ${path('sportsbook-lines')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
  socket.pause();
  const others: Promise<Reply>[] = [];
  for (let count = 0; count < 10; count += 1) others.push(api.get('/health'));
  for (const reply of await Promise.all(others)) assert.equal(reply.status, 200);
  let stalled = -1;
  while (reads !== stalled) {
    stalled = reads;
    await ownDelay(150);
  }
  assert.ok(stalled < bytes.length / 262_144, `${stalled} pieces were read of ${bytes.length / 262_144}`);
  for (const each of served) each.destroy();
  socket.resume();
  await ended;
  assert.ok(socket.bytesRead < bytes.length, 'cut off before the end');
  await ownDelay(300);
  assert.ok(reads <= stalled + 1, 'a file without readers is read no further');
});
