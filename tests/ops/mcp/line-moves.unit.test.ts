// Claim: a model that goes on from `cursor` sees each row that matches once, however long they are and wherever a read is refused, and what was
// billed is said. A violation would need a cursor that is beyond a row that was left out, or a refusal in the place of rows that were paid for.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { lineMoves } from '../../../ops/mcp/line-moves.ts';
import type { JsonDocument, Read, Reader } from '../../../ops/mcp/reader.ts';
import { answerOf, tools } from '../../../ops/mcp/tools.ts';

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
  };
  return { reader, rows: log.flat() };
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
  };
  const answered = await lineMoves(refusing, { game_id: 'G', most_rows: 2_000 });
  assert.ok(answered.kind === 'document');
  const { rows, cursor, more, refused } = answered.document as {
    rows: JsonDocument[];
    cursor: string;
    more: boolean;
    refused: object;
  };
  assert.deepEqual([rows.length, cursor, more, refused, answered.charged], [300, '1:300', true, problem, 300]);
  reads = 1;
  assert.deepEqual(await lineMoves(refusing, { game_id: 'G', most_rows: 2_000 }), { kind: 'refused', problem });
});

it('rows that were paid for are answered beside the refusal of the final file, once the game has settled', async () => {
  const { reader } = logOf([300, 300], 10);
  const problem = { type: 'https://sds.example/problems/quota-exhausted', status: 429 };
  let pages = 1;
  const settling: Reader = {
    async read(path, query): Promise<Read> {
      if (!path.endsWith('/rows')) return { kind: 'refused', problem };
      pages -= 1;
      return pages < 0
        ? { kind: 'refused', problem: { status: 410, reason: 'final_available' } }
        : reader.read(path, query);
    },
  };
  const answered = await lineMoves(settling, { game_id: 'G', most_rows: 2_000 });
  assert.ok(answered.kind === 'document');
  const { rows, cursor, more, refused } = answered.document;
  assert.ok(Array.isArray(rows));
  assert.deepEqual([rows.length, cursor, more, refused, answered.charged], [300, '1:300', true, problem, 300]);
  assert.deepEqual(await lineMoves(settling, { game_id: 'G', most_rows: 2_000 }), { kind: 'refused', problem });
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
