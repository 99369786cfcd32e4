// Claim: a tail grown flush by flush holds the rows of one file written at once, with the same schema, however the rows were
// split, whichever groups were merged on the way, and whether or not another process took it over in between.
// A violation would need an offset to be shifted wrongly, a group to be lost, doubled or out of order, or a footer to go stale.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { groupsToMerge } from '../../../core/parquet/group-merge.ts';
import { sameBytes } from '../../../core/parquet/same-bytes.ts';
import { append, openTail, replaceLast, stitch, type Tail } from '../../../core/parquet/tail.ts';
import { decodeParquet } from '../../../platform/parquet/decode.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { type SportsbookLinesRow, sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { everyFileKind, randomFrom, rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

type Rows = ReturnType<typeof rowsFrom>;

const metadata = new Map([['sds.dataset', 'of a test']]);

/** `rows` in pieces of the given sizes; the last piece takes the rest. */
function split(rows: Rows, sizes: readonly number[]): Rows[] {
  const pieces: Rows[] = [];
  let from = 0;
  for (const size of sizes) {
    pieces.push(rows.slice(from, from + size));
    from += size;
  }
  pieces.push(rows.slice(from));
  return pieces.filter((piece) => piece.length > 0);
}

/** Each piece has rows from a seed of its own, so that every group has its own encodings. */
function pieceRows(dataset: Dataset, seed: number, sizes: readonly number[]): Rows {
  return sizes.flatMap((size, index) => rowsFrom(dataset, seed + index, size));
}

describe('a stitched tail holds the rows of a file written at once', () => {
  const flushes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 });
  for (const { name, dataset } of everyFileKind) {
    it(name, () => {
      fc.assert(
        fc.property(fc.nat(), flushes, (seed, sizes) => {
          const rows = pieceRows(dataset, seed, sizes);
          const files = split(rows, sizes).map((piece) => encodeParquet(dataset, piece, new Map()));
          const once = openTail(encodeParquet(dataset, rows, metadata));
          const grown = files.reduce<Tail>(
            (tail, file) => append(tail, file),
            openTail(encodeParquet(dataset, [], metadata)),
          );
          assert.equal(grown.groups.length, sizes.length);
          assertSameRows(decodeParquet(dataset, grown.bytes), rows);
          const from = sizes.length >> 1;
          assertSameRows(decodeParquet(dataset, grown.bytes, from), split(rows, sizes).slice(from).flat());
          assert.deepEqual(grown.schema, once.schema);
          assert.deepEqual(grown.metadata, once.metadata);
          assert.deepEqual(grown.rest, once.rest);
          assert.ok(sameBytes(stitch(files, metadata).bytes, grown.bytes));
        }),
        { numRuns: cases(12) },
      );
    });
  }
});

it('is the same tail whether it is kept in memory or opened again after every flush', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }), (seed, sizes) => {
      const files = sizes.map((size, index) =>
        encodeParquet(sportsbookLines, rowsFrom(sportsbookLines, seed + index, size), new Map()),
      );
      const empty = encodeParquet(sportsbookLines, [], metadata);
      const kept = files.reduce<Tail>((tail, file) => append(tail, file), openTail(empty));
      const reopened = files.reduce((bytes, file) => append(openTail(bytes), file).bytes, empty);
      assert.ok(sameBytes(reopened, kept.bytes));
      const opened = openTail(kept.bytes);
      assert.deepEqual(opened.groups, kept.groups);
      assert.equal(opened.start, kept.start);
    }),
    { numRuns: cases(30) },
  );
});

it('keeps its rows, and few groups, while small groups are merged as they pile up', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom(seed);
      const typical = random.pick([1, 5, 40, 200]);
      const rows: SportsbookLinesRow[] = [];
      let tail = openTail(encodeParquet(sportsbookLines, [], metadata));
      while (rows.length < 3_000 && tail.rows < typical * 120) {
        const flush = rowsFrom(sportsbookLines, seed + rows.length, 1 + random.below(typical * 2));
        rows.push(...flush);
        const count = groupsToMerge([...tail.groups.map((group) => group.rows), flush.length]);
        const merged = tail.groups.slice(tail.groups.length - Math.max(0, count - 1));
        const again = merged.reduce((sum, group) => sum + group.rows, flush.length);
        const file = encodeParquet(sportsbookLines, rows.slice(rows.length - again), new Map());
        tail = replaceLast(tail, merged.length, file);
        assert.ok(tail.groups.length <= 47, `${tail.groups.length} groups`);
      }
      assertSameRows(decodeParquet(sportsbookLines, tail.bytes), rows);
    }),
    { numRuns: cases(12) },
  );
});

it('never changes the rows that an earlier version had', () => {
  const first = append(
    openTail(encodeParquet(sportsbookLines, [], metadata)),
    encodeParquet(sportsbookLines, rowsFrom(sportsbookLines, 1, 20), new Map()),
  );
  const before = first.bytes.slice();
  const second = append(first, encodeParquet(sportsbookLines, rowsFrom(sportsbookLines, 2, 20), new Map()));
  assert.deepEqual(first.bytes, before);
  assert.deepEqual(second.bytes.subarray(0, first.start), first.bytes.subarray(0, first.start));
});
