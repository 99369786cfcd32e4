// Parquet files to rows, for rebuilds and for a tail that is taken over. parquet-wasm reads the pages, so that what was written here
// is read by code of others. A file whose columns are not exactly the dataset's is refused before any page is looked at, unless it is asked
// for what it has.
import { type Data, tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import { type Footer, readFooter } from '../../core/parquet/footer.ts';
import { sameBytes } from '../../core/parquet/same-bytes.ts';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import type { Column, ColumnType, Dataset, RowOf } from '../../schemas/datasets/column.ts';
import { columnsOf } from './file-columns.ts';
import { layoutOf } from './layout.ts';
import { TextReader } from './text-reader.ts';

/** More rows than any file of the service has. */
const mostRows = 4_000_000;

/** The rows of a file of `dataset`, in order, from group `fromGroup` on. Throws ParquetFormatError when it is no such file. */
export function decodeParquet<D extends Dataset>(dataset: D, bytes: Uint8Array, fromGroup = 0): RowOf<D>[] {
  const footer = readFooter(bytes);
  if (!sameBytes(footer.schema, layoutOf(dataset).schema)) {
    throw new ParquetFormatError(`the columns of the file are not those of ${dataset.name}`);
  }
  return rowsOf(bytes, footer, dataset.columns, fromGroup) as RowOf<D>[];
}

/** All rows of a file under the columns that it has itself, as an archive's may be others than its dataset's are by now. Throws as above. */
export function decodeOwnColumns(bytes: Uint8Array): { columns: readonly Column[]; rows: readonly ParquetRow[] } {
  const footer = readFooter(bytes);
  const columns = columnsOf(footer.schema);
  return { columns, rows: rowsOf(bytes, footer, columns, 0) };
}

function rowsOf(bytes: Uint8Array, footer: Footer, columns: readonly Column[], fromGroup: number): ParquetRow[] {
  if (footer.rows > mostRows) throw new ParquetFormatError(`the file claims ${footer.rows} rows`);
  const wanted = footer.groups.slice(fromGroup);
  const count = wanted.reduce((sum, group) => sum + group.rows, 0);
  if (count === 0) return [];
  const rowGroups = wanted.map((_, index) => fromGroup + index);
  const table = tableFromIPC(readParquet(bytes, { batchSize: count, rowGroups }).intoIPCStream());
  if (table.numRows !== count) throw new ParquetFormatError('the pages hold other rows than the footer says');
  // A copy of a whole row is much quicker to fill than an empty object that gets one column after another.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const rows = Array.from({ length: count }, () => ({ ...blank }));
  for (const column of columns) {
    let from = 0;
    for (const data of table.getChild(column.name)?.data ?? []) {
      fillColumn(rows, from, column, data);
      from += data.length;
    }
  }
  return rows as ParquetRow[];
}

/** Puts the values of `data` into `rows` from `from` on; where there is none the row has null already. */
function fillColumn(rows: Record<string, unknown>[], from: number, { name, type }: Column, data: Data): void {
  const valueAt = readerOf(type, data);
  const { length, nullBitmap } = data;
  const full = data.nullCount === 0;
  for (let index = 0; index < length; index++) {
    if (full || (nullBitmap[index >> 3]! >> (index & 7)) & 1) rows[from + index]![name] = valueAt(index);
  }
}

/** How the value at an index of Arrow's data is taken out, as a row holds it. */
function readerOf(type: ColumnType, data: Data): (index: number) => unknown {
  const { values, valueOffsets: ends } = data;
  switch (type.kind) {
    case 'utf8': {
      const texts = new TextReader(data.values, data.length);
      return (index) => texts.read(ends[index]!, ends[index + 1]!);
    }
    case 'bool':
      return (index) => ((values[index >> 3] >> (index & 7)) & 1) === 1;
    case 'int32':
    case 'date':
      return (index) => values[index];
    case 'int64':
    case 'ts':
      return integersOf(values, 2);
    case 'dec':
      return integersOf(values, 4);
    case 'list': {
      const elementAt = readerOf({ kind: type.of }, data.children[0]!);
      return (index) =>
        Array.from({ length: ends[index + 1]! - ends[index]! }, (_, at) => elementAt(ends[index]! + at));
    }
  }
}

/** Integers of `words` times 32 bits, the least significant first; what a row can hold is in the lower two. */
function integersOf(values: BigInt64Array | Uint32Array, words: 2 | 4): (index: number) => number {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  return (index) => halves[index * words + 1]! * 4_294_967_296 + (halves[index * words]! >>> 0);
}
