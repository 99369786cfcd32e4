// What pyarrow and Python's DuckDB, as analysts install them, make of every kind of file: columns, types, values, pruned queries.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Column } from '../schemas/datasets/column.ts';
import { filesOfEveryKind, type WrittenFile } from './support/parquet-files.ts';
import { countingSql, decimalText, type Query, queriesOf } from './support/parquet-queries.ts';
import { services } from './support/services.ts';

type Answer = {
  columns: { name: string; as_expected: boolean; type: string; nullable: boolean }[];
  rows: unknown[][];
  arrow_counts: number[];
  duckdb_counts: number[];
  duckdb_rows: number;
  metadata: Record<string, string>;
};

const python = await services.python();

describe('pyarrow and DuckDB in Python', { skip: python.skip }, async () => {
  const files = python.skip === false ? filesOfEveryKind(77_001) : [];
  const answers = await ask(files);
  files.forEach((file, index) => {
    const { columns, rows, arrow_counts, duckdb_counts, duckdb_rows, metadata } = answers[index]!;
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
        assert.equal(duckdb_rows, file.rows.length);
        assert.equal(metadata['sds.row_count'], String(file.rows.length));
      });
      it('pyarrow finds the rows of every pruned query', () => {
        assert.deepEqual(
          queries.map((query, at) => describeCount({ ...query, expected: arrow_counts[at]! })),
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
  });
});

function describeCount({ column, operator, value, expected }: Query): string {
  return `${column.name} ${operator} ${value}: ${expected}`;
}

/** One answer a file, from one run of Python. */
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
    const script = fileURLToPath(new URL('./support/parquet-oracle.py', import.meta.url));
    const child = spawn(python.path, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify(questions));
    const [answers, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.equal(code, 0, 'Python ended with an error, shown above');
    return JSON.parse(answers);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function columnForPython({ name, type }: Column): object {
  return { name, ...type };
}
