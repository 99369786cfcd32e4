// Rows after a cursor, as JSON and as a part of a segment's file, over real HTTP: docs/interface.md#rows; docs/interface.md#segment. They
// are held to the rows of the log itself, and to a mark of each segment that the test keeps.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { canonicalCells } from '../../../core/msf/canonical-row.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { type LiveManifest, type LiveRows, liveRows } from '../../../schemas/http/live.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { lineOf, parquetRows } from '../../support/builders/parquet-log.ts';
import { type FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, pepper, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
let log: FakeLog;
let game = '';
let games = 0;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => newGame());

function newGame(): void {
  games += 1;
  game = `MLB_STL_NYY_20260805_${games + 1}`;
  log = api.log(game, 5, parquetRows);
}

const path = (rest: string) => `/v1/games/${game}/sportsbook-lines/${rest}`;
const priceOf = ({ status, headers }: Reply) => [status, headers['x-service-rowcount'], headers['x-service-debited']];
const newKey = () => api.catalog.mint(pepper, { accountId: `account ${Math.random()}` });

async function page(query: string, key = api.key): Promise<LiveRows> {
  const reply = await api.get(path(`rows${query}`), { key });
  assert.equal(reply.status, 200, reply.body.toString());
  assert.equal(reply.headers['x-service-rowcount'], String((reply.json() as LiveRows).rows.length));
  return liveRows.parse(reply.json());
}

/** The rows [from, to) of the log in JSON form. */
function expected(from: number, to: number): unknown[] {
  const names = sportsbookLines.columns.map(({ name }) => name);
  return log.rows.slice(from, to).map((text) => {
    const cells = canonicalCells(sportsbookLines.columns, lineOf(text));
    return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
  });
}

describe('rows after a cursor', () => {
  it('are those of one segment, with the names and values of the schema, and the cursor after them', async () => {
    await log.append(7);
    const reply = await api.get(path('rows'));
    assert.equal(reply.headers['content-type'], 'application/json');
    assert.equal(reply.headers['cache-control'], 'private, max-age=0');
    const { rows, cursor } = liveRows.parse(reply.json());
    assert.deepEqual([rows, cursor], [expected(0, 5), '1:5']);
    const { price_decimal, line, timestamp, is_open, row_number } = rows[0] as Record<string, unknown>;
    assert.deepEqual(
      [price_decimal, line, timestamp, is_open, row_number],
      ['1.9524', null, '2026-08-05T23:01:00.000000Z', true, 1],
    );
    assert.equal((await page('?cursor=1:2')).rows[0]?.line, '8.500');
    assert.deepEqual(await page('?cursor=1:5'), { rows: expected(5, 7), cursor: '2:2' });
    assert.deepEqual(await page('?cursor=1:3&limit=1'), { rows: expected(3, 4), cursor: '1:4' });
    assert.deepEqual(await page('?cursor=2:1'), { rows: expected(6, 7), cursor: '2:2' });
  });

  it('are none where nothing is new: the cursor comes back as it was written', async () => {
    await log.append(0);
    assert.deepEqual(await page(''), { rows: [], cursor: '0:0' });
    await log.append(7);
    for (const cursor of ['2:2', '02:002']) assert.deepEqual(await page(`?cursor=${cursor}`), { rows: [], cursor });
  });

  it('are 1,000 where no limit is given, and at most 5,000, after a cursor of the segments listing too', async () => {
    log = api.log(`MLB_BOS_TOR_20260805_${games + 1}`, 8_192, parquetRows);
    game = `MLB_BOS_TOR_20260805_${games + 1}`;
    await log.append(3);
    const { cursor } = (await api.get(path('segments'))).json() as LiveManifest;
    await log.append(5_002);
    const pages = [await page(''), await page(`?cursor=${cursor}`), await page('?cursor=1:5&limit=5000')];
    assert.deepEqual(
      pages.map(({ rows, cursor }) => [rows[0]?.row_number, rows.length, cursor]),
      [
        [1, 1_000, '1:1000'],
        [4, 1_000, '1:1003'],
        [6, 5_000, '1:5005'],
      ],
    );
  });

  it('continue after the tail was merged, closed and followed by another', async () => {
    for (let count = 0; count < 23; count += 1) await log.append(1);
    const read: unknown[] = [];
    let cursor = '0:0';
    for (;;) {
      const found = await page(`?cursor=${cursor}&limit=2`);
      if (found.rows.length === 0) break;
      read.push(...found.rows);
      cursor = found.cursor;
    }
    assert.deepEqual([read, cursor], [expected(0, 23), '5:3']);
  });

  it('are refused like a listing: 400 of another form, 409 of a position that the log does not hold', async () => {
    await log.append(7);
    for (const query of ['cursor=', 'cursor=1', 'cursor=a:b', 'limit=0', 'limit=5001', 'limit=x', 'rows=1'])
      assertProblem(await api.get(path(`rows?${query}`)), 'validation-error');
    for (const cursor of ['0:1', '1:6', '3:0']) {
      const problem = assertProblem(await api.get(path(`rows?cursor=${cursor}`)), 'live-cursor-reset');
      assert.equal(problem.game_id, game);
      assert.match(String(problem.detail), /again without a cursor/);
    }
    await log.rebuild(3);
    assertProblem(await api.get(path('rows?cursor=1:2')), 'live-cursor-reset');
    assert.deepEqual(await page('?cursor=0:0'), { rows: expected(0, 3), cursor: '3:3' });
  });

  it('are 404 with the reason once the game is final, and before it is tracked', async () => {
    assert.equal(assertProblem(await api.get(path('rows')), 'not-found').reason, 'no_live_artifact');
    await log.append(3);
    await page('');
    await landFinals(
      { objects: api.objects, artifacts: api.catalog },
      { uuid: uuidOf(game), gameId: game, league: 'MLB' },
    );
    const { reason, final } = assertProblem(await api.get(path('rows?cursor=1:3')), 'not-found');
    assert.deepEqual([reason, final], ['final_available', `/v1/games/${game}/sportsbook-lines`]);
  });

  it('read at the same time are made of one read of the file', async () => {
    await log.append(4);
    let reads = 0;
    const { get } = api.objects;
    api.objects.get = (key, part) => {
      reads += 1;
      return get(key, part);
    };
    const found = await Promise.all(Array.from({ length: 20 }, () => page('?cursor=1:1&limit=2')));
    api.objects.get = get;
    assert.equal(reads, 1);
    for (const each of found) assert.deepEqual(each, { rows: expected(1, 3), cursor: '1:3' });
  });
});

describe('what rows cost', () => {
  it('is one row for each row of the page that the account has not read yet', async () => {
    const key = newKey();
    await log.append(5);
    const get = async (rest: string, method = 'GET') => priceOf(await api.get(path(rest), { key, method }));
    assert.deepEqual((await get('rows?limit=2', 'HEAD')).slice(0, 2), [200, '2']);
    assert.deepEqual(await get('rows?limit=2'), [200, '2', '2']);
    assert.deepEqual(await get('rows?limit=2'), [200, '2', '0']);
    assert.deepEqual(await get('rows?cursor=1:1&limit=3'), [200, '3', '2']);
    assert.deepEqual(await get('segments/1?rows=5'), [200, '5', '1']);
    assert.deepEqual(await get('rows'), [200, '5', '0']);
    await log.append(4);
    assert.deepEqual(await get('rows?cursor=2:2'), [200, '2', '4'], 'as reading the segment up to there does');
    assert.deepEqual(await get('rows?cursor=2:4'), [200, '0', '0']);
  });

  it('is nothing where the answer is 304, and a spent quota is 429', async () => {
    const key = newKey();
    await log.append(5);
    const first = await api.get(path('rows'), { key });
    const headers = { 'if-none-match': first.headers.etag as string };
    const again = await api.get(path('rows'), { key, headers });
    assert.deepEqual([again.status, again.headers['x-service-debited']], [304, '0']);
    api.ledger.quotas.set('spent', 3);
    const spent = api.catalog.mint(pepper, { accountId: 'spent', monthlyRows: 3 });
    assertProblem(await api.get(path('rows?limit=4'), { key: spent }), 'quota-exhausted');
    assert.deepEqual(priceOf(await api.get(path('rows?limit=3'), { key: spent })), [200, '3', '3']);
  });

  it('is the same by any mix of rows, parts of segments and whole segments', async () => {
    const step = fc.record({
      by: fc.constantFrom('rows', 'part', 'whole'),
      grow: fc.integer({ min: 0, max: 4 }),
      at: fc.nat(),
      length: fc.integer({ min: 1, max: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        newGame();
        const key = newKey();
        const marks = new Map<number, number>();
        await log.append(1);
        for (const { by, grow, at, length } of steps) {
          await log.append(grow);
          const seq = 1 + (at % Math.ceil(log.rows.length / 5));
          const rows = Math.min(5, log.rows.length - 5 * (seq - 1));
          const from = by === 'whole' ? 0 : at % rows;
          const to = by === 'whole' ? rows : Math.min(rows, from + length);
          const asked = {
            rows: `rows?cursor=${seq}:${from}&limit=${length}`,
            part: `segments/${seq}?rows=${to}&from_row=${from}`,
            whole: `segments/${seq}`,
          };
          const reply = await api.get(path(asked[by]), { key });
          const mark = marks.get(seq) ?? 0;
          assert.deepEqual(priceOf(reply), [200, String(to - from), String(Math.max(0, to - mark))], asked[by]);
          marks.set(seq, Math.max(mark, to));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a segment from a row on', () => {
  it('is a file of exactly the rows [from_row, rows), however the tail has grown', async () => {
    for (const count of [1, 2, 1]) await log.append(count);
    for (const [from, to] of [
      [1, 3],
      [0, 4],
      [2, 4],
      [3, 4],
    ] as const) {
      const reply = await api.get(path(`segments/1?rows=${to}&from_row=${from}`));
      assert.equal(reply.headers['content-type'], 'application/vnd.apache.parquet');
      assert.equal(reply.headers['x-service-rowcount'], String(to - from));
      const rows = parquetWriter.decode(sportsbookLines.name, reply.body);
      assert.deepEqual(rows, log.rows.slice(from, to).map(lineOf));
      const range = { range: 'bytes=1-3' };
      const part = await api.get(path(`segments/1?rows=${to}&from_row=${from}`), { headers: range });
      assert.deepEqual([part.status, part.body], [206, reply.body.subarray(1, 4)]);
    }
    const before = await api.get(path('segments/1?rows=3&from_row=1'));
    await log.append(4);
    const after = await api.get(path('segments/1?rows=3&from_row=1'));
    assert.deepEqual([after.headers.etag, after.body], [before.headers.etag, before.body]);
  });

  it('is free of charge for HEAD, which shows its row count', async () => {
    await log.append(5);
    const head = await api.get(path('segments/1?rows=5&from_row=3'), { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['x-service-rowcount']], [200, '2']);
    const whole = await api.get(path('segments/1?rows=5&from_row=3'));
    assert.equal(head.headers.etag, whole.headers.etag);
  });

  it('needs from_row to be below rows, and is refused for the same reasons as a whole segment', async () => {
    await log.append(4);
    for (const query of [
      'from_row=1',
      'rows=3&from_row=3',
      'rows=3&from_row=4',
      'rows=3&from_row=x',
      'rows=3&from_row=',
    ])
      assertProblem(await api.get(path(`segments/1?${query}`)), 'validation-error');
    assertProblem(await api.get(path('segments/1?rows=5&from_row=1')), 'live-segment-behind');
    assertProblem(await api.get(path('segments/7?rows=5&from_row=1')), 'not-found');
  });
});
