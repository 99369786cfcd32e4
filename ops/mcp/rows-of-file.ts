// Rows of a Parquet file in their JSON form (docs/interface.md#dataset-schema).
import { jsonRow } from '../../core/msf/canonical-row.ts';
import { decodeOwnColumns } from '../../platform/parquet/decode.ts';
import type { JsonDocument } from './reader.ts';

export function rowsOfFile(bytes: Uint8Array): JsonDocument[] {
  const { columns, rows } = decodeOwnColumns(bytes);
  return rows.map((row) => jsonRow(columns, row));
}
