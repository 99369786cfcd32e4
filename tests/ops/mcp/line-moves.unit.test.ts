// Claim: a model that goes on from `cursor` sees each row that matches once, however long they are and wherever a read is refused, and what was
// billed is said. A violation would need a cursor that is beyond a row that was left out, or a refusal in the place of rows that were paid for.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { lineMoves } from '../../../ops/mcp/line-moves.ts';
import type { JsonDocument, Read, Reader } from '../../../ops/mcp/reader.ts';
import { answerOf, tools } from '../../../ops/mcp/tools.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { lineRows } from '../../support/builders/final-rows.ts';

const tool = tools.find(({ name }) => name === 'line_moves') ?? assert.fail('no such tool');

/** A log of segments, each with this number of rows; every third row is of sportsbook B. */
function logOf(segments: readonly number[], textLength: number): { reader: Reader; rows: JsonDocument[] } {
  const log = segments.map((count, seq) =>
    Array.from({ length: count }, (_, at) => ({
      row_number: segments.slice(0, seq).reduce((sum, each) => sum + each, 0) + at + 1,
      operator: at % 3 === 2 ? 'B' : 'A',
      text: 'x'.repeat(textLength),
    })),
  );
  const reader: Reader = {
    async read(path, query = {}) {
      assert.match(path, /\/rows$/);
      const [seq = 0, from = 0] = String(query.cursor ?? '0:0')
        .split(':')
        .map(Number);
      const left = log[seq - 1]?.slice(from) ?? [];
      const [of, start] = left.length > 0 || seq >= log.length ? [seq, from] : [seq + 1, 0];
      const rows = (log[of - 1] ?? []).slice(start, start + Number(query.limit));
      return { kind: 'document', document: { rows, cursor: `${of}:${start + rows.length}` }, charged: rows.length };
    },
    file: noFile,
  };
  return { reader, rows: log.flat() };
}

async function noFile(path: string): Promise<Read> {
  return assert.fail(path);
}

async function followed(reader: Reader, operator: string | undefined): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { text, isError } = answerOf(
      tool,
      await lineMoves(reader, { game_id: 'G', operator, cursor, most_rows: 2_000 }),
    );
    assert.ok(!isError && text.length <= 60_000, text.slice(0, 100));
    const answer = JSON.parse(text) as { rows: JsonDocument[]; cursor: string; more: boolean };
    assert.ok(!('rows_omitted' in answer));
    seen.push(...answer.rows.map(({ row_number }) => row_number));
    if (!answer.more) return seen;
    assert.notEqual(answer.cursor, cursor, 'the answer leads further');
    cursor = answer.cursor;
  }
}

for (const textLength of [10, 400, 59_000])
  it(`each row once, of ${textLength} characters`, async () => {
    const segments = textLength > 1_000 ? [2, 3] : [700, 1, 1_500];
    const { reader, rows } = logOf(segments, textLength);
    for (const operator of [undefined, 'b']) {
      const wanted = rows.filter((row) => operator === undefined || row.operator === 'B');
      assert.deepEqual(
        await followed(reader, operator),
        wanted.map(({ row_number }) => row_number),
      );
    }
  });

it('rows that were paid for are answered beside a later refusal', async () => {
  const { reader } = logOf([300, 300], 10);
  const problem = { type: 'https://sds.example/problems/quota-exhausted', status: 429 };
  let reads = 0;
  const refusing: Reader = {
    async read(path, query): Promise<Read> {
      reads += 1;
      return reads === 2 ? { kind: 'refused', problem } : reader.read(path, query);
    },
    file: noFile,
  };
  const answered = await lineMoves(refusing, { game_id: 'G', most_rows: 2_000 });
  assert.ok(answered.kind === 'document');
  const { rows, cursor, more, refused } = answered.document as {
    rows: JsonDocument[];
    cursor: string;
    more: boolean;
    refused: object;
  };
  assert.deepEqual([rows.length, cursor, more, refused, answered.charged], [300, '1:300@300', true, problem, 300]);
  reads = 1;
  assert.deepEqual(await lineMoves(refusing, { game_id: 'G', most_rows: 2_000 }), { kind: 'refused', problem });
});

/** The log of a game, until it settles; the final file then has its rows but for those that were removed. */
function settling(count: number, { removed = [] as number[], problem = {} }) {
  const game = { uuid: 'G', gameId: 'MLB_STL_NYY_20260805', league: 'MLB' };
  const rows = lineRows(game, count);
  const bytes = parquetWriter.encode(
    'sportsbook-lines',
    rows.filter(({ row_number }) => !removed.includes(row_number)),
    new Map(),
  );
  const files: number[] = [];
  const world = { isLive: true };
  const reader: Reader = {
    async read(path, query = {}) {
      assert.match(path, /\/rows$/);
      if (!world.isLive)
        return { kind: 'refused', problem: { status: 404, reason: 'final_available', first_seq: 3, ...problem } };
      const from = Number(String(query.cursor ?? '3:0').split(':')[1]);
      const to = Math.min(count, from + Number(query.limit));
      const page = rows.slice(from, to).map(({ row_number, operator }) => ({ row_number, operator }));
      return { kind: 'document', document: { rows: page, cursor: `3:${to}` }, charged: to - from };
    },
    async file(path, mostRows) {
      assert.match(path, /sportsbook-lines$/);
      files.push(mostRows);
      return { kind: 'file', bytes, charged: files.length === 1 ? count - removed.length : 0 };
    },
  };
  return { reader, world, files };
}

type Moves = { rows: JsonDocument[]; cursor: string; more: boolean; provisional: boolean; rows_charged: number };

async function movesOf(reader: Reader, asked: { cursor?: string; most_rows: number }): Promise<Moves> {
  const { text, isError } = answerOf(tool, await lineMoves(reader, { game_id: 'G', ...asked }));
  assert.ok(!isError && text.length <= 60_000, text.slice(0, 200));
  return JSON.parse(text) as Moves;
}

it('goes on in the final file behind the last row of the live log, page by page, each row once', async () => {
  const removed = [7, 43, 44, 1_200];
  const { reader, world, files } = settling(1_500, { removed });
  const first = await movesOf(reader, { most_rows: 40 });
  assert.deepEqual([first.cursor, first.provisional], ['3:40@40', true]);
  world.isLive = false;
  const seen: unknown[] = [];
  let charged = 0;
  for (let { cursor, more } = first; more; ) {
    const page = await movesOf(reader, { cursor, most_rows: 700 });
    assert.equal(page.provisional, false);
    seen.push(...page.rows.map(({ row_number }) => row_number));
    assert.ok(seen.length <= 1_460, 'the answers lead further');
    charged += page.rows_charged;
    ({ cursor, more } = page);
    assert.match(cursor, /^final@/);
  }
  const following = Array.from({ length: 1_460 }, (_, at) => at + 41).filter((row) => !removed.includes(row));
  assert.deepEqual(seen, following);
  assert.equal(charged, 1_496);
  assert.ok(files.length > 3 && files.every((most) => most === 700));
});

it('a log that settles between two pages is gone on with by the next call', async () => {
  const { reader, world } = settling(1_500, {});
  const { read } = reader;
  const interrupted: Reader = {
    ...reader,
    async read(path, query) {
      const page = await read(path, query);
      world.isLive = false;
      return page;
    },
  };
  const first = await movesOf(interrupted, { most_rows: 1_200 });
  assert.deepEqual([first.rows.length, first.cursor, first.more], [1_000, '3:1000@1000', true]);
  assert.ok(!('refused' in first));
  const next = await movesOf(reader, { cursor: first.cursor, most_rows: 5 });
  assert.deepEqual(
    next.rows.map(({ row_number }) => row_number),
    [1_001, 1_002, 1_003, 1_004, 1_005],
  );
});

it('a cursor whose row of the final file is not known is refused, and no file is read', async () => {
  for (const [cursor, problem] of [
    ['3:40', {}],
    ['2:40@40', {}],
    ['3:40@40', { first_seq: undefined }],
  ] as const) {
    const { reader, world, files } = settling(100, { problem });
    world.isLive = false;
    const read = await lineMoves(reader, { game_id: 'G', cursor, most_rows: 2_000 });
    assert.ok(read.kind === 'refused', cursor);
    assert.deepEqual([read.problem.code, files], ['cursor-not-of-final', []]);
  }
  const { reader, world } = settling(100, { problem: { first_seq: undefined } });
  world.isLive = false;
  for (const cursor of ['0:0@0', undefined])
    assert.equal((await movesOf(reader, { ...(cursor && { cursor }), most_rows: 3 })).rows[0]?.row_number, 1);
});

it('takes its own cursors and those of the API, and no others', () => {
  const takes = (cursor: string) => tool.input.safeParse({ game_id: 'G', cursor }).success;
  for (const cursor of ['0:0', '2:1312', '2:1312@9504', 'final@0']) assert.ok(takes(cursor), cursor);
  for (const cursor of ['', '2', '2:', '2:1@', 'final', 'final@', '2:1@x', '2:1&limit=1'])
    assert.ok(!takes(cursor), cursor);
});

it('reads 2,000 rows where nothing else is said, and is charged for those that do not match', async () => {
  const { most_rows } = tool.input.parse({ game_id: 'G' });
  assert.equal(most_rows, 2_000);
  const read = await lineMoves(logOf([3_000], 10).reader, { game_id: 'G', operator: 'NOBODY', most_rows: 2_000 });
  assert.ok(read.kind === 'document');
  const { rows, rows_read, more } = read.document;
  assert.deepEqual([rows, rows_read, more, read.charged], [[], 2_000, true, 2_000]);
});

it('a game id is no path', () => {
  for (const id of ['..', 'a/b', '', 'a'.repeat(101)]) assert.ok(!tool.input.safeParse({ game_id: id }).success, id);
});
