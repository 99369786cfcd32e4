// Claim: any range of the rows of a tail, however it grew, is the same rows whether it is decoded or cut out as a file, and row groups that
// lie within it keep their bytes. A violation would need a range to begin or end in the wrong group, or a splice to lose a group's order.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { groupsHolding } from '../../../core/parquet/group-range.ts';
import { openTail } from '../../../core/parquet/tail.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

const { name } = sportsbookLines;
const none = new Map<string, string>();

/** A tail made by these flushes, and its rows. */
function grown(seed: number, sizes: readonly number[]) {
  const pieces = sizes.map((size, index) => rowsFrom(sportsbookLines, seed + index, size));
  const bytes = pieces.reduce(
    (file, rows) => runToEnd(parquetWriter.appending(name, file, rows, none)),
    parquetWriter.encode(name, [], none),
  );
  return { bytes, rows: pieces.flat() };
}

const flushes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });

describe('a range of the rows of a tail', () => {
  it('is the same rows decoded and cut out', () => {
    fc.assert(
      fc.property(fc.nat(), flushes, fc.nat(), fc.nat(), (seed, sizes, a, b) => {
        const { bytes, rows } = grown(seed, sizes);
        const from = a % rows.length;
        const to = from + 1 + (b % (rows.length - from));
        assertSameRows(parquetWriter.slice(name, bytes, from, to), rows.slice(from, to));
        const file = parquetWriter.cut(name, bytes, from, to);
        assertSameRows(parquetWriter.decode(name, file), rows.slice(from, to));
        const { metadata } = openTail(file);
        assert.deepEqual(
          [metadata.get('sds.from_row'), metadata.get('sds.row_count')],
          [String(from), String(to - from)],
        );
      }),
      { numRuns: cases(60) },
    );
  });

  it('is empty where it begins at its end', () => {
    const { bytes, rows } = grown(1, [3, 4]);
    for (let at = 0; at <= rows.length; at += 1) assert.deepEqual(parquetWriter.slice(name, bytes, at, at), []);
  });

  it('keeps the bytes of the row groups that lie within', () => {
    const { bytes } = grown(7, [5, 4, 3, 2]);
    const groupsOf = (file: Uint8Array) =>
      openTail(file).groups.map(({ start, end }) => Buffer.from(file.subarray(start, end)));
    const all = groupsOf(bytes);
    assert.deepEqual(groupsOf(parquetWriter.cut(name, bytes, 5, 14)), all.slice(1));
    assert.deepEqual(groupsOf(parquetWriter.cut(name, bytes, 5, 12)), all.slice(1, 3));
    const inside = groupsOf(parquetWriter.cut(name, bytes, 3, 13));
    assert.deepEqual([inside.length, inside.slice(1, 3)], [4, all.slice(1, 3)]);
  });

  it('is found by the row counts of the groups', () => {
    assert.deepEqual(groupsHolding([5, 4, 3], 0, 12), { first: 0, end: 3, before: 0, after: 0 });
    assert.deepEqual(groupsHolding([5, 4, 3], 5, 9), { first: 1, end: 2, before: 0, after: 0 });
    assert.deepEqual(groupsHolding([5, 4, 3], 4, 10), { first: 0, end: 3, before: 4, after: 2 });
  });
});
