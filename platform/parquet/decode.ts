// Parquet files to rows, for rebuilds and for a tail that is taken over. parquet-wasm reads the pages, so that what was written here
// is read by code of others. A file whose columns are not exactly the dataset's is refused before any page is looked at.
import { tableFromIPC, type Vector } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import { readFooter } from '../../core/parquet/footer.ts';
import { sameBytes } from '../../core/parquet/same-bytes.ts';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import type { Column, ColumnType, Dataset, RowOf } from '../../schemas/datasets/column.ts';
import { layoutOf } from './layout.ts';

/** More rows than any file of the service has. */
const mostRows = 4_000_000;

/** The rows of a file of `dataset`, in order. Throws ParquetFormatError when it is no such file. */
export function decodeParquet<D extends Dataset>(dataset: D, bytes: Uint8Array): RowOf<D>[] {
  const footer = readFooter(bytes);
  if (!sameBytes(footer.schema, layoutOf(dataset).schema)) {
    throw new ParquetFormatError(`the columns of the file are not those of ${dataset.name}`);
  }
  if (footer.rows > mostRows) throw new ParquetFormatError(`the file claims ${footer.rows} rows`);
  if (footer.rows === 0) return [];
  const table = tableFromIPC(readParquet(bytes, { batchSize: footer.rows }).intoIPCStream());
  if (table.numRows !== footer.rows) throw new ParquetFormatError('the pages hold other rows than the footer says');
  const rows: Record<string, unknown>[] = Array.from({ length: footer.rows }, () => ({}));
  for (const column of dataset.columns) {
    const vector = table.getChild(column.name);
    if (vector) fillColumn(rows, column, vector);
  }
  return rows as RowOf<D>[];
}

function fillColumn(rows: Record<string, unknown>[], { name, type }: Column, vector: Vector): void {
  let at = 0;
  for (const data of vector.data) {
    const take = readerOf(type.kind, data.values, vector, at);
    for (let index = 0; index < data.length; index++) rows[at++]![name] = data.getValid(index) ? take(index) : null;
  }
}

/** How the value at an index of Arrow's `values`, which begin at entry `start` of `vector`, becomes that of a row. */
function readerOf(
  kind: ColumnType['kind'],
  values: ArrayLike<number | bigint>,
  vector: Vector,
  start: number,
): (index: number) => unknown {
  switch (kind) {
    case 'int32':
    case 'date':
      return (index) => values[index];
    case 'int64':
    case 'ts':
      return (index) => Number(values[index]);
    case 'dec':
      // 128 bits in four words, the least first; what a row can hold is in the lower two.
      return (index) => (Number(values[index * 4 + 1]) | 0) * 4_294_967_296 + Number(values[index * 4]);
    case 'list':
      return (index) => [...vector.get(start + index)];
    default:
      return (index) => vector.get(start + index);
  }
}
