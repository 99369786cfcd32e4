// Claim: a model that follows `next_cursor` sees each game once, however many and however long they are. A violation would need an answer
// that is cut in front of its cursor.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { Reader } from '../../../ops/mcp/reader.ts';
import { answerOf, tools } from '../../../ops/mcp/tools.ts';

const tool = tools.find(({ name }) => name === 'list_games') ?? assert.fail('no such tool');

/** A list of games of these lengths. */
function listOf(lengths: readonly number[]): { reader: Reader; limits: number[] } {
  const limits: number[] = [];
  const reader: Reader = {
    async read(path, { cursor, limit, league } = {}) {
      assert.deepEqual([path, league], ['/v1/games', 'NBA']);
      limits.push(Number(limit));
      const from = Number(cursor ?? 0);
      const to = Math.min(lengths.length, from + Number(limit));
      const data = lengths.slice(from, to).map((length, at) => ({ n: from + at, text: 'x'.repeat(length) }));
      return { kind: 'document', document: { data, next_cursor: to < lengths.length ? String(to) : null }, charged: 0 };
    },
    file: (path) => assert.fail(path),
  };
  return { reader, limits };
}

async function followed(reader: Reader): Promise<number[]> {
  const seen: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const input = tool.input.parse({ league: 'NBA', limit: 200, cursor });
    const { text, isError } = answerOf(tool, await tool.call(reader, input));
    assert.ok(!isError && text.length <= 60_000, `${text.length}`);
    const answer = JSON.parse(text) as { data: { n: number }[]; next_cursor: string | null };
    assert.ok(!('data_omitted' in answer));
    seen.push(...answer.data.map(({ n }) => n));
    if (answer.next_cursor === null) return seen;
    cursor = answer.next_cursor;
  }
}

for (const [name, lengths] of [
  ['as the API has them', Array.from({ length: 400 }, () => 400)],
  ['of very different lengths', Array.from({ length: 300 }, (_, n) => (n * n) % 977)],
  ['of which only one fits', [59_000, 59_000, 100, 59_000]],
] as const)
  it(`shows each game once: games ${name}`, async () => {
    assert.deepEqual(await followed(listOf(lengths).reader), [...lengths.keys()]);
  });

it('asks once where all games fit', async () => {
  const { reader, limits } = listOf(Array.from({ length: 100 }, () => 400));
  await followed(reader);
  assert.deepEqual(limits, [200]);
});
