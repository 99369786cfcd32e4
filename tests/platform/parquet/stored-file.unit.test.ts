// Files that are read by ranges: their rows, under the dataset's columns and under their own, with no more than one row group at a time; and
// what is no such file.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import { ParquetFormatError } from '../../../core/parquet/thrift-reader.ts';
import type { FileBytes, ParquetRow, StoredFile } from '../../../core/ports/parquet.ts';
import { openFile } from '../../../platform/parquet/open-file.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { everyFileKind, rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

type Read = { offset: number; length: number };

const none = new Map<string, string>();

function fileOf(dataset: (typeof everyFileKind)[number]['dataset'], rows: readonly ParquetRow[], groupRows: number) {
  const file = openFile(dataset, none, groupRows);
  file.add(rows);
  return file.finish();
}

/** Bytes as a store would give them, with the reads that were made. */
function stored(bytes: Uint8Array): FileBytes & { reads: Read[] } {
  const reads: Read[] = [];
  return {
    size: bytes.length,
    reads,
    async read(offset, length) {
      assert.ok(length > 0 && offset >= 0 && offset + length <= bytes.length, `${offset}+${length}`);
      reads.push({ offset, length });
      return bytes.slice(offset, offset + length);
    },
  };
}

async function rowsOf(file: StoredFile): Promise<ParquetRow[]> {
  const rows: ParquetRow[] = [];
  for await (const batch of file.batches()) {
    const some = batch.rows();
    assert.equal(batch.count, some.length);
    rows.push(...some);
  }
  return rows;
}

describe('gives all rows', () => {
  for (const { name, dataset } of everyFileKind) {
    it(name, async () => {
      const rows = rowsFrom(dataset, 7, 250) as readonly ParquetRow[];
      const bytes = fileOf(dataset, rows, 60);
      const own = await parquetWriter.openStored(null, stored(bytes));
      assert.deepEqual([own.rows, own.columns.map((column) => column.name)], [250, dataset.columns.map((c) => c.name)]);
      assertSameRows(await rowsOf(own), rows);
      assertSameRows(await rowsOf(own), rows);
    });
  }

  it('under the columns of the dataset, where the file has those', async () => {
    const bytes = fileOf(sportsbookLines, rowsFrom(sportsbookLines, 3, 100), 30);
    const file = await parquetWriter.openStored('sportsbook-lines', stored(bytes));
    assert.deepEqual(file.columns, sportsbookLines.columns);
    assert.deepEqual(file.metadata, new Map([['sds.row_count', '100']]));
    await assert.rejects(parquetWriter.openStored('board', stored(bytes)), ParquetFormatError);
  });

  it('none, where there are none', async () => {
    assert.deepEqual(await rowsOf(await parquetWriter.openStored(null, stored(fileOf(sportsbookLines, [], 10)))), []);
  });
});

it('reads the end first, then each group when it is its turn, and nothing else', async () => {
  const bytes = fileOf(sportsbookLines, rowsFrom(sportsbookLines, 4, 9_000), 3_000);
  const { groups } = readFooter(bytes);
  const source = stored(bytes);
  const file = await parquetWriter.openStored('sportsbook-lines', source);
  assert.deepEqual(source.reads, [{ offset: bytes.length - 65_536, length: 65_536 }]);
  const batches = file.batches()[Symbol.asyncIterator]();
  for (const [at, { start, end }] of groups.entries()) {
    assert.equal(source.reads.length, at + 1);
    await batches.next();
    assert.deepEqual(source.reads.at(-1), { offset: start, length: end - start });
  }
  assert.equal((await batches.next()).done, true);
  assert.equal(source.reads.length, 4);
});

it('reads a footer that is longer than most', async () => {
  const rows = rowsFrom(sportsbookLines, 6, 200);
  const bytes = fileOf(sportsbookLines, rows, 1);
  const source = stored(bytes);
  assertSameRows(await rowsOf(await parquetWriter.openStored('sportsbook-lines', source)), rows);
  assert.ok(bytes.length - readFooter(bytes).start > 65_536);
  assert.equal(source.reads.length, 202);
});

it('refuses what is no file, at whatever byte it ends', async () => {
  const bytes = fileOf(sportsbookLines, rowsFrom(sportsbookLines, 8, 40), 20);
  for (let size = 0; size < bytes.length; size += 1) {
    await assert.rejects(
      parquetWriter.openStored('sportsbook-lines', stored(bytes.subarray(0, size))),
      ParquetFormatError,
    );
  }
});

it('refuses a group whose bytes are others', async () => {
  const bytes = fileOf(sportsbookLines, rowsFrom(sportsbookLines, 9, 40), 20);
  bytes.fill(0xff, readFooter(bytes).groups[1]!.start, readFooter(bytes).groups[1]!.start + 40);
  const batches = (await parquetWriter.openStored(null, stored(bytes))).batches()[Symbol.asyncIterator]();
  await batches.next();
  await assert.rejects(async () => batches.next(), ParquetFormatError);
});
