// Decodes Parquet files to rows, for settlements, rebuilds and taking over a tail. Refuses a file whose columns are not exactly the
// dataset's before it reads any page, unless the caller asks for the file's own columns.
import { type Footer, readFooter } from '../../core/parquet/footer.ts';
import { sameBytes } from '../../core/parquet/same-bytes.ts';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import type { Column, Dataset, RowOf } from '../../schemas/datasets/column.ts';
import { columnsOf } from './file-columns.ts';
import { type ColumnsLayout, layoutOf, layoutOfColumns } from './layout.ts';
import { type ColumnBatch, checkRows, readGroup } from './read-groups.ts';

/** The rows of a file of `dataset`, in order, from group `fromGroup` on. Throws ParquetFormatError if it is not one. */
export function decodeParquet<D extends Dataset>(dataset: D, bytes: Uint8Array, fromGroup = 0): RowOf<D>[] {
  return joined(batchesOf(dataset, bytes, fromGroup)) as RowOf<D>[];
}

/** The same, one row group at a time; if `dataset` is null, for a file with any columns. */
export function batchesOf(dataset: Dataset | null, bytes: Uint8Array, fromGroup = 0): Iterable<ColumnBatch> {
  const footer = readFooter(bytes);
  return groupsOf(bytes, footer, layoutFor(dataset, footer), fromGroup);
}

/** All rows of a file with its own columns; an archived file may have older columns than its dataset has now. Throws as above. */
export function decodeOwnColumns(bytes: Uint8Array): { columns: readonly Column[]; rows: readonly ParquetRow[] } {
  const footer = readFooter(bytes);
  const layout = layoutFor(null, footer);
  return { columns: columnsIn(layout), rows: joined(groupsOf(bytes, footer, layout, 0)) };
}

/** The layout of a file's columns: those of `dataset`, or its own if null. Throws ParquetFormatError if it has others. */
export function layoutFor(dataset: Dataset | null, { schema }: Footer): ColumnsLayout {
  if (dataset === null) return layoutOfColumns(columnsOf(schema));
  const layout = layoutOf(dataset);
  if (!sameBytes(schema, layout.schema)) {
    throw new ParquetFormatError(`the columns of the file are not those of ${dataset.name}`);
  }
  return layout;
}

export function columnsIn({ columns }: ColumnsLayout): Column[] {
  return columns.map(({ column }) => column);
}

function* groupsOf(
  bytes: Uint8Array,
  footer: Footer,
  layout: ColumnsLayout,
  fromGroup: number,
): Generator<ColumnBatch> {
  checkRows(footer);
  for (const group of footer.groups.slice(fromGroup)) yield readGroup(layout, group, bytes, 0);
}

function joined(batches: Iterable<ColumnBatch>): ParquetRow[] {
  const rows: ParquetRow[] = [];
  for (const batch of batches) for (const row of batch.rows()) rows.push(row);
  return rows;
}
