// Other readers read every kind of file: DuckDB, hyparquet and parquet-wasm agree with the written rows on every value, null and type, and
// on queries in which a reader may skip row groups by their statistics. The service's own reader agrees with them.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnabledStatistics, readParquet, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { stitch } from '../../../core/parquet/tail.ts';
import { decodeParquet } from '../../../platform/parquet/decode.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { filesOfEveryKind, type WrittenFile } from '../../support/parquet/files.ts';
import { queriesOf } from '../../support/parquet/queries.ts';
import { DuckDb, duckDbType, rowsByHyparquet } from '../../support/parquet/readers.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';
import { rowsByParquetWasm } from '../../support/parquet/wasm-reader.ts';

let folder: string;
let duckDb: DuckDb;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sds-parquet-'));
  duckDb = await DuckDb.open();
});

afterAll(() => {
  duckDb.close();
  rmSync(folder, { recursive: true, force: true });
});

function onDisk(file: WrittenFile): string {
  const path = join(folder, `${file.name.replaceAll(/[^a-z0-9]+/g, '-')}.parquet`);
  writeFileSync(path, file.bytes);
  return path;
}

for (const file of filesOfEveryKind(20_260_805)) {
  describe(file.name, () => {
    it('DuckDB sees the columns, their types and which may be null', async () => {
      assert.deepEqual(
        await duckDb.columns(onDisk(file)),
        file.dataset.columns.map(({ name, type, nullable }) => ({ name, type: duckDbType(type), nullable })),
      );
    });

    it('DuckDB reads every value', async () => {
      assertSameRows(await duckDb.rows(onDisk(file)), file.rows);
    });

    it('DuckDB finds the rows of every pruned query', async () => {
      const queries = queriesOf(file.dataset, file.rows);
      const counts = await duckDb.counts(onDisk(file), queries);
      assert.deepEqual(
        queries.map(({ column, operator, value }, index) => [column.name, operator, value, counts[index]]),
        queries.map(({ column, operator, value, expected }) => [column.name, operator, value, expected]),
      );
    });

    it('hyparquet reads every value', async () => {
      assertSameRows(await rowsByHyparquet(onDisk(file), file.dataset), file.rows);
    });

    it('parquet-wasm reads every value', () => {
      assertSameRows(rowsByParquetWasm(file.dataset, file.bytes), file.rows);
    });

    it('the service reads every value', () => {
      assertSameRows(decodeParquet(file.dataset, file.bytes), file.rows);
    });
  });
}

it('stitches files of another writer, whose page indexes stay behind', async () => {
  const pieces = [11, 12, 13].map((seed) => rowsFrom(sportsbookLines, seed, 40));
  const files = pieces.map((rows) => {
    const properties = new WriterPropertiesBuilder().setStatisticsEnabled(EnabledStatistics.Page).build();
    return writeParquet(readParquet(encodeParquet(sportsbookLines, rows, new Map())), properties);
  });
  const file = { name: 'foreign', dataset: sportsbookLines, rows: pieces.flat(), bytes: stitch(files).bytes };
  const path = onDisk(file);
  assertSameRows(await duckDb.rows(path), file.rows);
  const queries = queriesOf(file.dataset, file.rows);
  assert.deepEqual(
    await duckDb.counts(path, queries),
    queries.map(({ expected }) => expected),
  );
});
