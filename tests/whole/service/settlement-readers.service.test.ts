// The final files that the settlement worker makes, read by third-party readers: DuckDB, hyparquet, pyarrow, polars and
// pandas find the same rows, and what DuckDB and pyarrow say of the columns is what the service's schema documents say.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type CanonicalRow, canonicalCells } from '../../../core/msf/canonical-row.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { settledFinals } from '../../support/editions/final-downloads.ts';
import { settleGamesForReaders } from '../../support/editions/games-for-readers.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { SettlementStage } from '../../support/editions/settlement-stage.ts';
import { type Setting, twoEditions } from '../../support/editions/two-editions.ts';
import { faultsOf, type Schema } from '../../support/http/json-schema.ts';
import { askPython, columnForPython } from '../../support/parquet/ask-python.ts';
import { sqlText } from '../../support/parquet/queries.ts';
import { DuckDb, type PlainRow, rowsByHyparquet } from '../../support/parquet/readers.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { services } from '../../support/services/services.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type File = { dataset: Dataset; path: string; rows: readonly PlainRow[] };
type ShownColumn = { name: string; type: string; logical_type: string | null; nullable: boolean };
type SchemaDocument = { columns: ShownColumn[]; row: Schema };

const [[, skip, prepare]] = twoEditions as [(typeof twoEditions)[number]];
/** Rows of a file to fit a model on, which is slow. */
const rowsToFit = 3_000;
const [python, pandas] = [await services.python(), await services.pandas()];

describe('the final files of settled games', skipFor(outOfTurn() || skip || python.skip || pandas.skip), () => {
  let folder: string;
  let own: Setting;
  let edition: Edition;
  let duckDb: DuckDb;
  const files: File[] = [];

  beforeAll(async () => {
    folder = makeDataFolder('readers');
    own = await prepare();
    edition = await startEdition(own);
    duckDb = await DuckDb.open();
    const ids = await settleGamesForReaders(await SettlementStage.open(edition));
    for (const [id, finals] of await settledFinals(edition, ids, folder))
      for (const [name, final] of finals) {
        const dataset = datasets.find((each) => each.name === name) ?? assert.fail(name);
        const { path } = final ?? assert.fail(`${id} has no ${name}`);
        files.push({ dataset, path, rows: await duckDb.rows(path) });
      }
    assert.equal(files.length, 12);
  });

  afterAll(async () => {
    duckDb?.close();
    await edition?.stop();
    await own?.drop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('have two row groups where they are long, and rows with and without a value wherever one may be missing', async () => {
    const { path } =
      files.find(({ dataset: { name }, rows }) => name === 'sportsbook-lines' && rows.length > 32_768) ?? assert.fail();
    const groups = await duckDb.ask(`select max(row_group_id) + 1 as groups from parquet_metadata(${sqlText(path)})`);
    assert.deepEqual(groups, [{ groups: 2 }]);
    const unlike = datasets.flatMap(({ name, columns }) => {
      const rows = files.filter(({ dataset }) => dataset.name === name).flatMap((file) => file.rows);
      if (rows.length === 0) return [];
      return columns.filter((column) => {
        const values = rows.map((row) => row[column.name]);
        return values.every((value) => value === null) || values.includes(null) !== column.nullable;
      });
    });
    // The first open row has an opening line's price and time.
    const names = unlike.map(({ name }) => name);
    assert.deepEqual(names, ['opening_price_american', 'opening_price_decimal', 'opened_at']);
  });

  const questions = () => files.map(({ dataset, path }) => ({ path, columns: dataset.columns.map(columnForPython) }));
  const inPython = async ({ path }: { path: string }, reader: string): Promise<PlainRow[][]> => {
    const answers = await askPython<{ rows: unknown[][] }>(path, ['frames.py', reader], questions());
    return answers.map(({ rows }, index) => {
      const { columns } = files[index]?.dataset ?? assert.fail();
      return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
    });
  };
  const readers: readonly (readonly [string, () => Promise<PlainRow[][]>])[] = [
    ['hyparquet', () => Promise.all(files.map(({ dataset, path }) => rowsByHyparquet(path, dataset)))],
    ['pyarrow', () => inPython(python, 'pyarrow')],
    ['polars', () => inPython(python, 'polars')],
    ['pandas', () => inPython(pandas, 'pandas')],
  ];
  for (const [reader, read] of readers) {
    it(`${reader} reads what DuckDB reads`, async () => {
      const found = await read();
      for (const [index, { rows }] of files.entries()) assertSameRows(found[index] ?? [], rows);
    });
  }

  it('have the columns of their schema documents, by DuckDB and by pyarrow, and rows that fit them', async () => {
    const arrow = await askPython<{ columns: ShownColumn[] }>(python.path, ['frames.py', 'schema'], questions());
    for (const [index, { dataset, path, rows }] of files.entries()) {
      const { columns, row: schema } = (await getJson(
        edition,
        `/v1/datasets/${dataset.name}/schema`,
      )) as SchemaDocument;
      const documented = columns.map(({ name, type, logical_type, nullable }) => ({
        name,
        type,
        logical_type,
        nullable,
      }));
      assert.deepEqual(await shownByDuckDb(duckDb, path), documented, dataset.name);
      assert.deepEqual(arrow[index]?.columns, documented, dataset.name);
      for (const row of rows.slice(0, rowsToFit)) assert.deepEqual(faultsOf(inJson(dataset, row), schema, {}), []);
    }
  });
});

/** A row as schema documents describe it: times, dates and decimals are texts. */
function inJson({ columns }: Dataset, row: PlainRow): object {
  const cells = canonicalCells(columns, row as CanonicalRow);
  return Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]]));
}

/** The columns of a file in the terms of the schema documents, from the schema elements in the file. */
async function shownByDuckDb(duckDb: DuckDb, path: string): Promise<ShownColumn[]> {
  const elements = await duckDb.ask(`select * from parquet_schema(${sqlText(path)}) order by column_id`);
  const shown: ShownColumn[] = [];
  for (let index = 1; index < elements.length; index += 1) {
    const { name, type, logical_type: logical, repetition_type: repetition } = elements[index] ?? {};
    const nullable = repetition === 'OPTIONAL';
    if (logical === 'ListType()') {
      // A list, its repeated group, and its element, which is never null.
      const [group, element] = [elements[index + 1], elements[index + 2]];
      assert.deepEqual([group?.repetition_type, element?.repetition_type], ['REPEATED', 'REQUIRED'], String(name));
      shown.push({ name: String(name), type: `list<${storedAs(element ?? {})}>`, logical_type: 'list', nullable });
      index += 2;
    } else
      shown.push({
        name: String(name),
        type: storedAs({ type, logical_type: logical }),
        logical_type: meaning(logical),
        nullable,
      });
  }
  return shown;
}

function storedAs({ type, logical_type: logical }: PlainRow): string {
  if (type === 'BYTE_ARRAY') return logical === 'StringType()' ? 'utf8' : assert.fail(String(logical));
  return type === 'BOOLEAN' ? 'bool' : String(type).toLowerCase();
}

function meaning(logical: unknown): string | null {
  if (logical === null || logical === 'StringType()') return null;
  if (logical === 'DateType()') return 'date';
  const [, scale, precision] = /^DecimalType\(scale=(\d+), precision=(\d+)\)$/.exec(String(logical)) ?? [];
  if (scale !== undefined) return `decimal(${precision},${scale})`;
  assert.match(String(logical), /^TimestampType\(isAdjustedToUTC=1, .*MICROS=MicroSeconds\(\)/);
  return 'timestamp(micros,utc)';
}
