// Third-party Parquet readers: they answer a file's columns, its rows, and how many rows a query finds, all in the form
// that rows have in this code base, so that they can be compared with the written rows.

import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBTimestampTZValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import type { Column, ColumnType, Dataset } from '../../../schemas/datasets/column.ts';
import { countingSql, type Query, sqlText } from './queries.ts';

export type PlainRow = Record<string, unknown>;
export type ColumnShape = { name: string; type: string; nullable: boolean };

export class DuckDb {
  private readonly connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  static async open(): Promise<DuckDb> {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await connection.run("set timezone = 'UTC'");
    return new DuckDb(connection);
  }

  async rows(path: string): Promise<PlainRow[]> {
    return this.ask(`select * from read_parquet(${sqlText(path)})`);
  }

  /** The rows that a query finds. */
  async ask(sql: string): Promise<PlainRow[]> {
    const result = await this.connection.runAndReadAll(sql);
    return result
      .getRowObjects()
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  }

  async columns(path: string): Promise<ColumnShape[]> {
    const types = await this.connection.runAndReadAll(`describe select * from read_parquet(${sqlText(path)})`);
    const elements = await this.connection.runAndReadAll(
      `select name, repetition_type from parquet_schema(${sqlText(path)}) where name not in ('schema', 'list', 'element')`,
    );
    const repetitions = elements.getRowObjects();
    return types.getRowObjects().map((row, index) => ({
      name: String(row.column_name),
      type: String(row.column_type),
      nullable: repetitions[index]?.repetition_type === 'OPTIONAL',
    }));
  }

  async counts(path: string, queries: readonly Query[]): Promise<number[]> {
    if (queries.length === 0) return [];
    const result = await this.connection.runAndReadAll(countingSql(path, queries));
    return result.getRows()[0]!.map(Number);
  }

  close(): void {
    this.connection.closeSync();
  }
}

function plain(value: DuckDBValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DuckDBDecimalValue) return Number(value.value);
  if (value instanceof DuckDBTimestampTZValue) return Number(value.micros);
  if (value instanceof DuckDBDateValue) return value.days;
  if (value instanceof DuckDBListValue) return value.items.map(plain);
  return value;
}

/** The type that DuckDB gives a column. */
export function duckDbType(type: ColumnType): string {
  switch (type.kind) {
    case 'utf8':
      return 'VARCHAR';
    case 'int32':
      return 'INTEGER';
    case 'int64':
      return 'BIGINT';
    case 'bool':
      return 'BOOLEAN';
    case 'date':
      return 'DATE';
    case 'ts':
      return 'TIMESTAMP WITH TIME ZONE';
    case 'dec':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'list':
      return `${duckDbType({ kind: type.of })}[]`;
  }
}

export async function rowsByHyparquet(path: string, dataset: Dataset): Promise<PlainRow[]> {
  const bytes = readFileSync(path);
  return readByHyparquet(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), dataset);
}

/** Reads over HTTP, by HEAD and ranges, as hyparquet reads remote files. */
export async function rowsOfUrlByHyparquet(
  url: string,
  headers: Record<string, string>,
  dataset: Dataset,
): Promise<PlainRow[]> {
  return readByHyparquet(await asyncBufferFromUrl({ url, requestInit: { headers } }), dataset);
}

async function readByHyparquet(
  file: Parameters<typeof parquetReadObjects>[0]['file'],
  dataset: Dataset,
): Promise<PlainRow[]> {
  const rows = await parquetReadObjects({
    file,
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    parsers: { timestampFromMicroseconds: Number, dateFromDays: (days) => days as never },
  });
  return rows.map((row) =>
    Object.fromEntries(dataset.columns.map((column) => [column.name, fromHyparquet(column, row[column.name])])),
  );
}

/** hyparquet returns decimals as floats. */
function fromHyparquet({ type }: Column, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (type.kind === 'dec' && typeof value === 'number') return Math.round(value * 10 ** type.scale);
  return value ?? null;
}
