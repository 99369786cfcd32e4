// Reads the row groups of a file one after another; decodes only one group at a time. This code wrote every file of the service, so it
// reads exactly that and refuses everything else. It takes a third of the CPU of parquet-wasm with an Arrow table, and none of wasm's
// memory, which never shrinks. In the tests, independent readers check every kind of file.
import type { Footer } from '../../core/parquet/footer.ts';
import type { RowGroup } from '../../core/parquet/row-group.ts';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import type { ParquetRow, RowBatch } from '../../core/ports/parquet.ts';
import { chunkPlaces } from './chunk-places.ts';
import type { ColumnValues } from './column-values.ts';
import type { ColumnsLayout } from './layout.ts';
import { readChunk } from './read-chunk.ts';
import { rowsOfValues } from './rows-of-values.ts';

/** More rows than any file of the service has. */
const mostRows = 4_000_000;

/** Rows held by column. */
export class ColumnBatch implements RowBatch {
  readonly layout: ColumnsLayout;
  readonly values: readonly ColumnValues[];
  readonly count: number;

  constructor(layout: ColumnsLayout, values: readonly ColumnValues[], count: number) {
    this.layout = layout;
    this.values = values;
    this.count = count;
  }

  rows(): ParquetRow[] {
    return rowsOfValues(this.layout.columns, this.values, this.count);
  }
}

/** Throws ParquetFormatError if the footer claims more rows than any file of the service has. */
export function checkRows({ rows }: Footer): void {
  if (rows > mostRows) throw new ParquetFormatError(`the file claims ${rows} rows`);
}

/**
 * The rows of `group`. `bytes` contains the group's bytes and begins at offset `from` of the file. Throws ParquetFormatError if they do not
 * match.
 */
export function readGroup(layout: ColumnsLayout, group: RowGroup, bytes: Uint8Array, from: number): ColumnBatch {
  const { columns } = layout;
  const places = chunkPlaces(group);
  if (places.length !== columns.length) throw new ParquetFormatError('a row group has other columns than its file');
  const values = columns.map((column, at) => readChunk(bytes, from, column, places[at]!, group.rows));
  return new ColumnBatch(layout, values, group.rows);
}
