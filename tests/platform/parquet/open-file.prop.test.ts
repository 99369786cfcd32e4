// Claim: a file that is written as its rows come has the bytes of one that was written at once, whatever the batches are and whether they
// came as rows or out of another file. A violation would need a row group that ends with a batch, a dictionary code that depends on the
// file it was read from, or a remainder of one row group in the next.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { sameBytes } from '../../../core/parquet/same-bytes.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { batchesOf, decodeOwnColumns, decodeParquet } from '../../../platform/parquet/decode.ts';
import { openFile } from '../../../platform/parquet/open-file.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { board } from '../../../schemas/datasets/board.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { everyFileKind, rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

const metadata = new Map([['sds.file', 'final']]);

/** Whether a piece of the rows comes as rows, or from a file of its own. */
const pieces = fc.array(fc.record({ rows: fc.nat(90), stored: fc.boolean() }), { maxLength: 12 });

function inPieces(
  dataset: Dataset,
  rows: readonly ParquetRow[],
  cuts: readonly { rows: number; stored: boolean }[],
  groupRows?: number,
): Uint8Array {
  const file = openFile(dataset, metadata, groupRows);
  let from = 0;
  for (const { rows: count, stored } of [...cuts, { rows: rows.length, stored: false }]) {
    const piece = rows.slice(from, from + count);
    if (!stored) file.add(piece);
    else for (const batch of batchesOf(dataset, encodeParquet(dataset, piece as never, metadata))) file.add(batch);
    from += piece.length;
  }
  return file.finish();
}

function atOnce(dataset: Dataset, rows: readonly ParquetRow[], groupRows: number): Uint8Array {
  const file = openFile(dataset, metadata, groupRows);
  file.add(rows);
  return file.finish();
}

describe('the same rows are the same bytes, whatever the batches', () => {
  for (const { name, dataset } of everyFileKind) {
    it(name, () => {
      fc.assert(
        fc.property(fc.nat(), fc.nat(400), fc.integer({ min: 1, max: 120 }), pieces, (seed, count, groupRows, cuts) => {
          const rows = rowsFrom(dataset, seed, count) as readonly ParquetRow[];
          const bytes = inPieces(dataset, rows, cuts, groupRows);
          assert.ok(sameBytes(bytes, atOnce(dataset, rows, groupRows)));
          assertSameRows(decodeParquet(dataset, bytes), rows);
          assert.equal(readFooter(bytes).groups.length, Math.ceil(count / groupRows));
        }),
        { numRuns: cases(8) },
      );
    });
  }

  it('and those of the file that is written at once', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0, 1, 32_767, 32_768, 32_769, 70_000), pieces, (seed, count, cuts) => {
        const rows = rowsFrom(sportsbookLines, seed, count);
        const bytes = inPieces(sportsbookLines, rows, cuts);
        assert.ok(sameBytes(bytes, encodeParquet(sportsbookLines, rows, metadata)));
        assert.deepEqual(
          readFooter(bytes).groups.map((group) => group.rows),
          Array.from({ length: Math.ceil(count / 32_768) }, (_, at) => Math.min(32_768, count - at * 32_768)),
        );
      }),
      { numRuns: cases(4) },
    );
  });
});

it('takes batches that were read under the columns of their file', () => {
  const rows = rowsFrom(sportsbookLines, 5, 30);
  const stored = encodeParquet(sportsbookLines, rows, metadata);
  const file = parquetWriter.openFile('sportsbook-lines', metadata);
  for (const batch of parquetWriter.batches(null, stored)) file.add(batch);
  assert.ok(sameBytes(file.finish(), stored));
});

it('takes batches of a file with other columns as rows', () => {
  const rows = rowsFrom(board, 5, 30);
  const stored = encodeParquet(board, rows, metadata);
  const file = parquetWriter.openFile('sportsbook-lines', metadata);
  for (const batch of parquetWriter.batches('board', stored)) file.add(batch);
  const { columns, rows: lines } = decodeOwnColumns(file.finish());
  assert.deepEqual(
    lines,
    rows.map((row) => Object.fromEntries(columns.map(({ name }) => [name, row[name as keyof typeof row]]))),
  );
});

it('refuses rows of another shape, and names the column', () => {
  const file = openFile(sportsbookLines, metadata);
  const [row] = rowsFrom(sportsbookLines, 1, 1);
  assert.throws(() => file.add([{ ...row!, operator: null }]), /column operator cannot hold null/);
});
