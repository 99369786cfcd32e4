// Claim: a model pays for a final file once, however many pages of it are asked for, at once or one after another, and never more than it
// said. A violation would need a GET without its HEAD, a second GET of bytes that are kept, or a price that is not compared.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { keepFiles } from '../../../ops/mcp/kept-files.ts';
import type { Read } from '../../../ops/mcp/reader.ts';

const rowsOfEach = 5_000;

/** Files whose tags are their versions. */
function world() {
  const versions = new Map<string, number>();
  const gets: string[] = [];
  const state = { refuses: false };
  const refused: Read = { kind: 'refused', problem: { status: 429 } };
  const tagOf = (path: string): string => `"${path}/${versions.get(path) ?? 1}"`;
  const file = keepFiles({
    head: async (path) => (state.refuses ? null : { etag: tagOf(path), rows: rowsOfEach }),
    async get(path, etag) {
      gets.push(etag);
      return state.refuses || etag !== tagOf(path)
        ? refused
        : { kind: 'file', bytes: Buffer.from(etag), charged: rowsOfEach };
    },
  });
  const charged = async (path: string): Promise<number> => {
    const read = await file(path, rowsOfEach);
    assert.ok(read.kind === 'file');
    assert.equal(Buffer.from(read.bytes).toString(), tagOf(path));
    return read.charged;
  };
  return { file, charged, versions, gets, state };
}

it('is charged at the first read, also of several at once, and again where it has changed', async () => {
  const { charged, versions } = world();
  assert.deepEqual(await Promise.all(['a', 'a', 'a'].map(charged)), [rowsOfEach, 0, 0]);
  assert.deepEqual([await charged('b'), await charged('a')], [rowsOfEach, 0]);
  versions.set('a', 2);
  assert.deepEqual([await charged('a'), await charged('a')], [rowsOfEach, 0]);
});

it('is refused with its price where that is more than may be charged, unless it is kept', async () => {
  const { file, charged, gets } = world();
  const read = await file('a', rowsOfEach - 1);
  assert.ok(read.kind === 'refused');
  assert.deepEqual([read.problem.code, read.problem.rows, gets], ['more-than-most-rows', rowsOfEach, []]);
  assert.match(String(read.problem.detail), /5000 rows.*Nothing was charged/);
  await charged('a');
  assert.equal((await file('a', 1)).kind, 'file');
});

it('has the reason of a refusal from a GET that is never charged, and asks anew after one', async () => {
  const { file, charged, gets, state } = world();
  state.refuses = true;
  assert.deepEqual(await file('a', rowsOfEach), { kind: 'refused', problem: { status: 429 } });
  assert.deepEqual(gets, ['""']);
  state.refuses = false;
  assert.equal(await charged('a'), rowsOfEach);
});

it('keeps the eight that were read last', async () => {
  const { charged } = world();
  const paths = ['1', '2', '3', '4', '5', '6', '7', '8'];
  for (const path of [...paths, '1', '9']) await charged(path);
  assert.deepEqual([await charged('1'), await charged('3')], [0, 0]);
  assert.equal(await charged('2'), rowsOfEach, 'it was read longest ago');
});
