// Reads a file with parquet-wasm, the Parquet implementation of Arrow's Rust; answers rows in the form they have in
// this code base.
import { type Data, tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import type { Column, ColumnType, Dataset } from '../../../schemas/datasets/column.ts';

type OpenRow = Record<string, unknown>;

export function rowsByParquetWasm(dataset: Dataset, bytes: Uint8Array): OpenRow[] {
  const table = tableFromIPC(readParquet(bytes).intoIPCStream());
  const rows = Array.from({ length: table.numRows }, (): OpenRow => ({}));
  // The data of a list without rows have no children.
  if (rows.length === 0) return [];
  for (const column of dataset.columns) {
    let from = 0;
    for (const data of table.getChild(column.name)?.data ?? []) {
      fillColumn(rows, from, column, data);
      from += data.length;
    }
  }
  return rows;
}

function fillColumn(rows: readonly OpenRow[], from: number, { name, type }: Column, data: Data): void {
  const valueAt = readerOf(type, data);
  for (let index = 0; index < data.length; index++) {
    rows[from + index]![name] = data.getValid(index) ? valueAt(index) : null;
  }
}

/** Reads the value at an index; Arrow's own accessors round times to milliseconds. */
function readerOf(type: ColumnType, data: Data): (index: number) => unknown {
  const { values, valueOffsets: ends } = data;
  switch (type.kind) {
    case 'utf8':
      return (index) => utf8.decode(values.subarray(ends[index], ends[index + 1]));
    case 'bool':
      return (index) => ((values[index >> 3] >> (index & 7)) & 1) === 1;
    case 'int32':
    case 'date':
      return (index) => values[index];
    case 'int64':
    case 'ts':
      return (index) => Number(values[index]);
    case 'dec':
      return (index) =>
        new DataView(values.buffer, values.byteOffset).getInt32(index * 16 + 4, true) * 2 ** 32 + values[index * 4];
    case 'list': {
      const elementAt = readerOf({ kind: type.of }, data.children[0]!);
      return (index) =>
        Array.from({ length: ends[index + 1]! - ends[index]! }, (_, at) => elementAt(ends[index]! + at));
    }
  }
}

const utf8 = new TextDecoder();
