// pyarrow, polars and Python's DuckDB, as analysts install them, read every kind of file: columns, types, values, pruned queries.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { askPython, columnForPython } from '../../support/parquet/ask-python.ts';
import { filesOfEveryKind, type WrittenFile } from '../../support/parquet/files.ts';
import { countingSql, decimalText, type Query, queriesOf } from '../../support/parquet/queries.ts';
import { services } from '../../support/services/services.ts';
import { caseOutOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Answer = {
  columns: { name: string; as_expected: boolean; type: string; nullable: boolean }[];
  rows: unknown[][];
  arrow_counts: number[];
  polars_rows: unknown[][];
  polars_counts: number[];
  duckdb_counts: number[];
  duckdb_rows: number;
  metadata: Record<string, string>;
};

const python = await services.python();

describe('pyarrow, polars and DuckDB in Python', skipFor(python.skip), async () => {
  const files = python.skip === false ? filesOfEveryKind(77_001) : [];
  const taken = files.filter((_, place) => caseOutOfTurn(place, 3) === false);
  const answers = await ask(taken);
  for (const [place, file] of files.entries()) {
    const answer = answers[taken.indexOf(file)];
    if (answer === undefined) {
      it(file.name, skipFor(caseOutOfTurn(place, 3)), () => {});
      continue;
    }
    const { columns, rows, arrow_counts, polars_rows, polars_counts, duckdb_counts, duckdb_rows, metadata } = answer;
    const queries = queriesOf(file.dataset, file.rows);
    const expected = queries.map(describeCount);

    describe(file.name, () => {
      it('have its columns, with their types and nulls', () => {
        assert.deepEqual(
          columns.filter((column) => !column.as_expected),
          [],
        );
        assert.deepEqual(
          columns.map(({ name, nullable }) => ({ name, nullable })),
          file.dataset.columns.map(({ name, nullable }) => ({ name, nullable })),
        );
      });
      it('have its rows', () => {
        assert.deepEqual(
          rows,
          file.rows.map((row) => file.dataset.columns.map(({ name }) => row[name])),
        );
        assert.deepEqual(polars_rows, rows);
        assert.equal(duckdb_rows, file.rows.length);
        assert.equal(metadata['sds.row_count'], String(file.rows.length));
      });
      it('pyarrow finds the rows of every pruned query', () => {
        assert.deepEqual(
          queries.map((query, at) => describeCount({ ...query, expected: arrow_counts[at]! })),
          expected,
        );
      });
      it('polars finds the rows of every pruned query', () => {
        assert.deepEqual(
          queries.map((query, at) => describeCount({ ...query, expected: polars_counts[at]! })),
          expected,
        );
      });
      it('DuckDB finds the rows of every pruned query', () => {
        assert.deepEqual(
          queries.map((query, at) => describeCount({ ...query, expected: duckdb_counts[at]! })),
          expected,
        );
      });
    });
  }
});

function describeCount({ column, operator, value, expected }: Query): string {
  return `${column.name} ${operator} ${value}: ${expected}`;
}

/** One answer for each file, from one run of Python. */
async function ask(files: readonly WrittenFile[]): Promise<Answer[]> {
  if (files.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'sds-parquet-'));
  try {
    const questions = files.map((file, index) => {
      const path = join(folder, `${index}.parquet`);
      writeFileSync(path, file.bytes);
      const queries = queriesOf(file.dataset, file.rows);
      return {
        path,
        columns: file.dataset.columns.map(columnForPython),
        sql: queries.length === 0 ? null : countingSql(path, queries),
        queries: queries.map(({ column, operator, value }) => ({
          column: columnForPython(column),
          operator,
          value: column.type.kind === 'dec' ? decimalText(value as number, column.type.scale) : value,
        })),
      };
    });
    return await askPython<Answer>(python.path, ['oracle.py'], questions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
