// The four live routes over real HTTP, sentence by sentence: docs/interface.md#segments-listing; docs/interface.md#live-manifest;
// docs/interface.md#board-manifest; docs/interface.md#from-live-to-final.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { type BoardManifest, boardManifest, type LiveManifest, liveManifest } from '../../../schemas/http/live.ts';
import { FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
let log: FakeLog;
let game = '';
let count = 0;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => {
  count += 1;
  game = `MLB_STL_NYY_20260805_${count + 1}`;
  log = api.log(game);
});

const path = (rest: string) => `/v1/games/${game}/sportsbook-lines/${rest}`;

async function list(cursor?: string): Promise<LiveManifest> {
  const reply = await api.get(path(cursor === undefined ? 'segments' : `segments?cursor=${cursor}`));
  assert.equal(reply.status, 200, reply.body.toString());
  return liveManifest.parse(reply.json());
}

const shortOf = (manifest: LiveManifest) =>
  manifest.segments.map(({ seq, rows, from_row }) => `${seq}:${from_row === undefined ? '' : `${from_row}-`}${rows}`);

describe('the segments listing', () => {
  it('without a cursor lists every segment, of one committed version', async () => {
    await log.append(12);
    await log.append(1, 'FANDUEL');
    const reply = await api.get(path('segments'));
    assert.equal(reply.headers['content-type'], 'application/json');
    assert.equal(reply.headers['cache-control'], 'private, max-age=5');
    assert.equal(reply.headers.vary, 'Authorization');
    assert.equal(reply.headers['x-service-rowcount'], undefined);
    assert.equal(reply.headers['accept-ranges'], undefined);
    const { operators, board, segments, ...manifest } = liveManifest.parse(reply.json());
    assert.deepEqual(manifest, {
      game_id: game,
      dataset: 'sportsbook-lines',
      schema_version: 'v1',
      provisional: true,
      updated_at: '2026-08-05T20:00:02.000000Z',
      applied_through: '2026-08-05T20:00:00.000012Z',
      cursor: '3:3',
    });
    const at = '2026-08-05T20:00:00.000000Z';
    const through = '2026-08-05T20:00:00.000002Z';
    assert.deepEqual(operators, {
      DRAFTKINGS: { last_row_at: at, observed_through: through },
      FANDUEL: { last_row_at: at, observed_through: through },
    });
    assert.deepEqual(segments, [entry(1, 5, true, 0), entry(2, 5, true, 5), entry(3, 3, false, 10)]);
    assert.deepEqual(board, {
      rows: 4,
      files: [
        { operator: 'DRAFTKINGS', rows: 3, url: path('board/DRAFTKINGS') },
        { operator: 'FANDUEL', rows: 1, url: path('board/FANDUEL') },
      ],
    });
  });

  function entry(seq: number, rows: number, closed: boolean, from: number) {
    return {
      seq,
      rows,
      closed,
      min_timestamp: `2026-08-05T20:00:00.0000${String(from).padStart(2, '0')}Z`,
      max_timestamp: `2026-08-05T20:00:00.0000${String(from + rows - 1).padStart(2, '0')}Z`,
      url: path(`segments/${seq}?rows=${rows}`),
    };
  }

  it('with a cursor lists the segments above it and its own when it has grown, with from_row', async () => {
    await log.append(12);
    assert.deepEqual(shortOf(await list('0:0')), ['1:5', '2:5', '3:2']);
    assert.deepEqual(shortOf(await list('1:0')), ['1:0-5', '2:5', '3:2']);
    assert.deepEqual(shortOf(await list('1:3')), ['1:3-5', '2:5', '3:2']);
    assert.deepEqual(shortOf(await list('1:5')), ['2:5', '3:2']);
    assert.deepEqual(shortOf(await list('3:1')), ['3:1-2']);
    assert.equal((await list('1:3')).cursor, '3:2');
  });

  it('echoes the request cursor when nothing is new', async () => {
    await log.append(12);
    assert.deepEqual([shortOf(await list('3:2')), (await list('3:2')).cursor], [[], '3:2']);
    assert.equal((await list('03:02')).cursor, '03:02');
    await log.append(0);
    assert.deepEqual([shortOf(await list('3:2')), (await list('3:2')).cursor], [[], '3:2']);
  });

  it('has the cursor 0:0 while no segment exists', async () => {
    await log.append(0);
    const manifest = await list();
    assert.deepEqual(
      [manifest.cursor, manifest.segments, manifest.operators, manifest.applied_through, manifest.board],
      ['0:0', [], {}, null, { rows: 0, files: [] }],
    );
    assert.equal((await list('0:0')).cursor, '0:0');
  });

  it('answers 409 live-cursor-reset for any position the log does not hold, and nothing else', async () => {
    await log.append(12);
    for (const cursor of ['0:1', '1:6', '3:3', '4:0', '999999999999999:1', '0:999999999999999']) {
      const reply = await api.get(path(`segments?cursor=${cursor}`));
      const problem = assertProblem(reply, 'live-cursor-reset');
      assert.equal(problem.game_id, game, cursor);
      assert.match(String(problem.detail), /List the segments again without a cursor/);
    }
    for (const cursor of ['0:0', '00:00', '1:0', '2:4', '3:2', '000000000000003:000000000000002']) {
      assert.equal((await api.get(path(`segments?cursor=${cursor}`))).status, 200, cursor);
    }
  });

  it('answers 400 for a malformed cursor', async () => {
    await log.append(1);
    for (const cursor of [
      '',
      '1',
      '1:',
      ':1',
      'a:b',
      '1:1:1',
      '-1:0',
      '1:-1',
      '1.0:1',
      '1:1000000000000000',
      '1000000000000000:1',
      '1:1%20',
      '%31:+1',
    ]) {
      const problem = assertProblem(await api.get(path(`segments?cursor=${cursor}`)), 'validation-error');
      assert.match(problem.detail as string, /^cursor must have the form/, cursor);
    }
  });

  it('after a rebuild resets old cursors and starts above every seq that was used', async () => {
    await log.append(12);
    await log.rebuild(3);
    for (const cursor of ['1:5', '3:2', '3:0'])
      assertProblem(await api.get(path(`segments?cursor=${cursor}`)), 'live-cursor-reset');
    const manifest = await list('0:0');
    assert.deepEqual([shortOf(manifest), manifest.cursor], [['4:3'], '4:3']);
  });

  it('queries the catalog before a 409, also without a notice', async () => {
    await log.append(1);
    await list();
    api.catalog.announcing = false;
    await log.append(1);
    assert.equal((await list('1:2')).cursor, '1:2');
    api.catalog.announcing = true;
  });

  it('has a strong ETag, free to compare', async () => {
    await log.append(1);
    const first = await api.get(path('segments'));
    assert.match(first.headers.etag ?? '', /^"[0-9a-f]{64}"$/);
    const headers = { 'if-none-match': first.headers.etag as string };
    const unchanged = await api.get(path('segments'), { headers });
    assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
    assert.equal(unchanged.headers['cache-control'], 'private, max-age=5');
    assert.equal(unchanged.headers['content-type'], undefined);
    await log.append(1);
    assert.equal((await api.get(path('segments'), { headers })).status, 200);
  });

  it('ignores a Range, which only files honour', async () => {
    await log.append(1);
    for (const range of ['bytes=0-1', 'bytes=nonsense', 'bytes=99999-']) {
      assert.equal((await api.get(path('segments'), { headers: { range } })).status, 200);
    }
  });

  it('is served hot without the catalog or the store', async () => {
    await log.append(7);
    const { cursor } = await list();
    await list(cursor);
    await api.get(path('segments/1?rows=5'));
    await api.get(path('board/DRAFTKINGS'));
    const before = { ...api.catalog.calls };
    const get = api.objects.get;
    api.objects.get = () => Promise.reject(new Error('not asked'));
    for (let round = 0; round < 5; round += 1) {
      await list();
      await list(cursor);
      assert.equal((await api.get(path('segments/1?rows=5'))).status, 200);
      assert.equal((await api.get(path('board/DRAFTKINGS'))).status, 200);
    }
    api.objects.get = get;
    assert.deepEqual(api.catalog.calls, before);
  });
});

describe('many at once', () => {
  it('read a cold manifest, segment and board once each', async () => {
    // Bytes that no other test has read.
    await log.append(7, 'UNREAD');
    const before = { ...api.catalog.calls };
    let reads = 0;
    const get = api.objects.get;
    api.objects.get = (key, part) => {
      reads += 1;
      return get(key, part);
    };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        api.get(path(['segments', 'segments/2', 'board', 'board/UNREAD'][at % 4] as string)),
      ),
    );
    api.objects.get = get;
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(new Set(replies.map(({ headers }) => headers.etag)).size, 4);
    assert.equal(reads, 2);
    assert.ok(api.catalog.calls.served - before.served <= 2);
  });

  it('each see one committed version, while commits go on', async () => {
    await log.append(1);
    let committing = true;
    const writer = (async () => {
      for (let commit = 0; commit < 60; commit += 1) {
        await log.append(1, commit % 2 === 0 ? 'FANDUEL' : 'DRAFTKINGS');
        await new Promise((resolve) => setImmediate(resolve));
      }
      committing = false;
    })();
    let newest = 0;
    while (committing) {
      for (const manifest of await Promise.all([list(), list(), list()])) {
        const rows = manifest.segments.reduce((sum, segment) => sum + segment.rows, 0);
        assert.equal(manifest.applied_through, `2026-08-05T20:00:00.0000${String(rows - 1).padStart(2, '0')}Z`);
        assert.equal(
          manifest.updated_at,
          `2026-08-05T20:${rows < 60 ? '00' : '01'}:${String(rows % 60).padStart(2, '0')}.000000Z`,
        );
        const last = manifest.segments.at(-1);
        assert.equal(manifest.cursor, `${last?.seq}:${last?.rows}`);
        assert.ok(rows >= newest, 'never going back');
      }
      newest = (await list()).segments.reduce((sum, segment) => sum + segment.rows, 0);
    }
    await writer;
  });
});

const rowsOf = (reply: Reply) => FakeLog.rowsOf(reply.body);

describe('a segment', () => {
  it('has the rows that were listed, their count, and the hash of its bytes', async () => {
    await log.append(7);
    const read: string[] = [];
    for (const { url, rows } of (await list()).segments) {
      const reply = await api.get(url);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['x-service-rowcount'], String(rows));
      assert.equal(reply.headers['accept-ranges'], 'bytes');
      assert.equal(reply.headers['content-type'], 'application/vnd.apache.parquet');
      assert.equal(reply.headers['content-encoding'], undefined);
      assert.equal(reply.headers['content-length'], String(reply.body.length));
      read.push(...rowsOf(reply));
    }
    assert.deepEqual(read, log.rows);
  });

  it('may be kept for a day only when it is closed and asked for by its full count', async () => {
    await log.append(7);
    const caching = async (rest: string) => (await api.get(path(rest))).headers['cache-control'];
    const day = 'private, max-age=86400, immutable';
    const seconds = 'private, max-age=5';
    assert.deepEqual(
      [
        await caching('segments/1?rows=5'),
        await caching('segments/1'),
        await caching('segments/1?rows=4'),
        await caching('segments/2?rows=2'),
      ],
      [day, seconds, seconds, seconds],
    );
  });

  it('without rows is served as it is', async () => {
    await log.append(7);
    assert.deepEqual(rowsOf(await api.get(path('segments/2'))), log.rows.slice(5, 7));
    await log.append(1);
    assert.deepEqual(rowsOf(await api.get(path('segments/2'))), log.rows.slice(5, 8));
  });

  it('with rows is the version of exactly that many rows while it is kept, else the smallest larger one', async () => {
    await log.append(1);
    await log.append(2);
    await log.append(1);
    const served = async (rows: number) => rowsOf(await api.get(path(`segments/1?rows=${rows}`))).length;
    assert.deepEqual([await served(1), await served(2), await served(3), await served(4)], [1, 3, 3, 4]);
    await log.append(3);
    assert.deepEqual([await served(1), await served(2), await served(4), await served(5)], [1, 3, 4, 5]);
    assert.deepEqual(rowsOf(await api.get(path('segments/1?rows=2'))), log.rows.slice(0, 3));
    api.catalog.tails.clear();
    api.clock.ahead += 301_000_000;
    assert.deepEqual([await served(1), await served(4), await served(5)], [5, 5, 5]);
    api.clock.ahead = 0;
  });

  it('answers 409 live-segment-behind when it holds fewer rows than promised', async () => {
    await log.append(7);
    for (const [seq, rows] of [
      [2, 3],
      [1, 6],
      [2, 999_999_999_999_999],
    ] as const) {
      const problem = assertProblem(await api.get(path(`segments/${seq}?rows=${rows}`)), 'live-segment-behind');
      assert.deepEqual([problem.game_id, problem.seq, problem.rows], [game, seq, rows]);
    }
    const range = { range: 'bytes=0-1' };
    assertProblem(await api.get(path('segments/2?rows=3'), { headers: range }), 'live-segment-behind');
  });

  it('queries the catalog before a 409 or a 404, also without a notice', async () => {
    await log.append(4);
    await list();
    api.catalog.announcing = false;
    await log.append(1);
    assert.equal(rowsOf(await api.get(path('segments/1?rows=5'))).length, 5);
    await log.append(1);
    assert.equal((await api.get(path('segments/2'))).status, 200);
    api.catalog.announcing = true;
  });

  it('below the first of a rebuilt log is behind with rows, and not found without', async () => {
    await log.append(7);
    await list();
    await log.rebuild(1);
    assertProblem(await api.get(path('segments/1?rows=5')), 'live-segment-behind');
    assertProblem(await api.get(path('segments/2?rows=1')), 'live-segment-behind');
    assertProblem(await api.get(path('segments/1')), 'not-found');
    assert.equal((await api.get(path('segments/3?rows=1'))).status, 200);
  });

  it('that does not exist, or cannot, is not found', async () => {
    await log.append(7);
    for (const seq of [
      '0',
      '3',
      '999999999999999',
      '1000000000000000',
      '-1',
      '1.0',
      'one',
      '%31x',
      '1%20',
      '0x1',
      '%00',
      '١',
    ]) {
      const reply = await api.get(path(`segments/${seq === '١' ? encodeURIComponent(seq) : seq}`));
      const problem = assertProblem(reply, 'not-found');
      assert.deepEqual([problem.title, problem.reason], ['No such segment', undefined], seq);
    }
    assert.equal(rowsOf(await api.get(path('segments/%31'))).length, 5, 'an encoded digit is that digit');
    assertProblem(await api.get(path('segments/0?rows=1')), 'not-found');
    assertProblem(await api.get(path('segments/3?rows=1')), 'not-found');
  });

  it('takes no other rows than an integer of at least 1', async () => {
    await log.append(7);
    for (const rows of [
      '0',
      '000',
      '-1',
      '',
      '1.5',
      '1e2',
      'all',
      '+2',
      '%202',
      '1000000000000000',
      '2&rows=2',
      '2&rows=3',
    ]) {
      assertProblem(await api.get(path(`segments/2?rows=${rows}`)), 'validation-error');
    }
    assertProblem(await api.get(path('segments/2?rows=2&cursor=0:0')), 'validation-error');
  });
});

describe('the board', () => {
  it('has one file per operator, each with its rows and its address', async () => {
    await log.append(4);
    await log.append(1, 'FANDUEL');
    const reply = await api.get(path('board'));
    assert.equal(reply.headers['cache-control'], 'private, max-age=5');
    assert.match(reply.headers.etag ?? '', /^"[0-9a-f]{64}"$/);
    const board: BoardManifest = boardManifest.parse(reply.json());
    assert.deepEqual(board, {
      game_id: game,
      dataset: 'sportsbook-lines',
      schema_version: 'v1',
      provisional: true,
      updated_at: '2026-08-05T20:00:02.000000Z',
      board: {
        rows: 4,
        files: [
          { operator: 'DRAFTKINGS', rows: 3, url: path('board/DRAFTKINGS') },
          { operator: 'FANDUEL', rows: 1, url: path('board/FANDUEL') },
        ],
      },
    });
    for (const { url, rows } of board.board.files) {
      const file = await api.get(url);
      assert.deepEqual(
        [file.status, rowsOf(file).length, file.headers['x-service-rowcount']],
        [200, rows, String(rows)],
      );
      assert.equal(file.headers['cache-control'], 'private, max-age=5');
      assert.equal(file.headers['content-type'], 'application/vnd.apache.parquet');
    }
  });

  it('takes no query', async () => {
    await log.append(1);
    for (const query of ['cursor=0:0', 'rows=1', 'x'])
      assertProblem(await api.get(path(`board?${query}`)), 'validation-error');
  });

  it('of an operator is found by its code in any case, and follows each commit', async () => {
    await log.append(2);
    for (const operator of ['DRAFTKINGS', 'draftkings', 'DraftKings']) {
      assert.deepEqual(rowsOf(await api.get(path(`board/${operator}`))), log.rows);
    }
    const { etag } = (await api.get(path('board/draftkings'))).headers;
    await log.append(1);
    const moved = await api.get(path('board/draftkings'), { headers: { 'if-none-match': etag as string } });
    assert.deepEqual([moved.status, rowsOf(moved)], [200, log.rows]);
  });

  it('of an operator without a board, or of a malformed code, is not found', async () => {
    await log.append(2);
    for (const operator of [
      'FANDUEL',
      'draft-kings',
      'DRAFTKINGS%20',
      '%44RAFTKINGS%2F',
      'x'.repeat(33),
      'draft%C4%B1kings',
      'draftking%C5%BF',
      '..',
      '%2e%2e',
    ]) {
      const problem = assertProblem(await api.get(path(`board/${operator}`)), 'not-found');
      assert.equal(problem.reason, undefined);
    }
  });
});

describe('while a game is not tracked', () => {
  it('all four live routes answer 404 with reason no_live_artifact', async () => {
    for (const rest of [
      'segments',
      'segments?cursor=5:5',
      'segments/1',
      'segments/1?rows=5',
      'segments/one',
      'board',
      'board/DRAFTKINGS',
      'board/%20',
    ]) {
      const problem = assertProblem(await api.get(path(rest)), 'not-found');
      assert.equal(problem.reason, 'no_live_artifact', rest);
    }
  });

  it('they answer as soon as the game is tracked, without waiting for cached answers to expire', async () => {
    assert.equal((await api.get(path('segments'))).status, 404);
    api.catalog.announcing = false;
    await log.append(1);
    assert.equal((await api.get(path('segments'))).status, 200);
    api.catalog.announcing = true;
  });
});

describe('a game id', () => {
  it('counts in any case, and is shown in capitals', async () => {
    await log.append(1);
    const lower = await api.get(path('segments').toLowerCase());
    assert.equal((lower.json() as LiveManifest).game_id, game);
    const upper = await api.get(`/v1/games/${game.toUpperCase()}/sportsbook-lines/segments`);
    assert.deepEqual(lower.json(), upper.json());
  });

  it('may be the UUID, in any case; answers name the public id', async () => {
    await log.append(1);
    const uuid = uuidOf(game);
    for (const id of [uuid, uuid.toUpperCase()]) {
      const manifest = (await api.get(`/v1/games/${id}/sportsbook-lines/segments`)).json() as LiveManifest;
      assert.equal(manifest.game_id, game);
      assert.equal(manifest.segments[0]?.url, path('segments/1?rows=1'));
    }
  });

  it('of a game without a public id is its UUID, and the public id once it is minted', async () => {
    const uuid = uuidOf(`unminted ${count}`);
    const record = api.catalog.addGame({ gameId: uuid, uuid, league: 'NBA', gameDate: '2026-08-05' });
    await new FakeLog(api.catalog, api.objects, uuid).append(1);
    const idOf = async () =>
      ((await api.get(`/v1/games/${uuid}/sportsbook-lines/segments`)).json() as LiveManifest).game_id;
    assert.equal(await idOf(), uuid);
    Object.assign(record, { gameId: `NBA_LAL_BOS_20260805_${count + 1}`, minted: true });
    api.clock.ahead += 6_000_000;
    assert.equal(await idOf(), `NBA_LAL_BOS_20260805_${count + 1}`);
    api.clock.ahead = 0;
  });

  it('that names no game is not found, on every route', async () => {
    for (const id of [
      'MLB_STL_NYY_19990101',
      'MLB_STL_NYY',
      'nonsense',
      '%20',
      uuidOf('nobody'),
      game.replace('ST', '%C5%BFT'),
    ]) {
      for (const rest of [
        '',
        '/sportsbook-lines',
        '/sportsbook-lines/segments',
        '/sportsbook-lines/segments/1',
        '/sportsbook-lines/board',
        '/sportsbook-lines/board/X',
      ]) {
        const problem = assertProblem(await api.get(`/v1/games/${id}${rest}`), 'not-found');
        assert.equal(problem.title, 'Game not found', `${id}${rest}`);
      }
    }
  });
});
