// A Parquet file whose rows arrive some at a time. Holds one row group and the bytes of those before it. Only the number of rows decides
// where groups end: the same rows give the same bytes as encode.ts, however they are batched.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import { type FileMetadata, magicBytes, writeFooter } from '../../core/parquet/footer.ts';
import type { RowGroup } from '../../core/parquet/row-group.ts';
import { sameBytes } from '../../core/parquet/same-bytes.ts';
import type { ParquetFile } from '../../core/ports/parquet.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { writeValues } from './chunk.ts';
import { beginning, GrowingColumn, positionAfter } from './growing-column.ts';
import { type ColumnLayout, layoutOf } from './layout.ts';
import type { Row } from './leaves.ts';
import type { PageTarget } from './pages.ts';
import { ColumnBatch } from './read-groups.ts';
import { rowsOfGroup, writeGroup } from './write-group.ts';

/** Shared by all files in turn; each keeps copies. */
const piece = new ByteSink(262_144);

/** An empty file of `dataset`. `groupRows`: rows per group; only tests change it. */
export function openFile(dataset: Dataset, metadata: FileMetadata, groupRows = rowsOfGroup): ParquetFile {
  const layout = layoutOf(dataset);
  const columns = layout.columns.map((column) => new GrowingColumn(column));
  const pieces: Uint8Array[] = [magicBytes];
  let length = magicBytes.length;
  const groups: RowGroup[] = [];
  let held = 0;

  /** Appends what `write` writes to the file. */
  function keep(write: () => void): void {
    piece.clear();
    write();
    pieces.push(piece.toBytes());
    length += piece.length;
  }

  function endGroup(): void {
    keep(() => {
      const write = (target: PageTarget, column: ColumnLayout, at: number) => writeValues(target, column, columns[at]!);
      groups.push(writeGroup(piece, length, layout, held, groups.length, write));
    });
    for (const column of columns) column.clear();
    held = 0;
  }

  /** Calls `take` for the rows `[from, to)`, as many at a time as fit into the open group. */
  function addInGroups(count: number, take: (from: number, to: number) => void): void {
    let from = 0;
    while (from < count) {
      const to = Math.min(count, from + groupRows - held);
      take(from, to);
      held += to - from;
      from = to;
      if (held === groupRows) endGroup();
    }
  }

  function addBatch({ values, count }: ColumnBatch): void {
    const places = values.map(() => beginning);
    addInGroups(count, (from, to) => {
      for (const [at, column] of columns.entries()) {
        const end = positionAfter(values[at]!, places[at]!, to - from);
        column.addValues(values[at]!, places[at]!, end);
        places[at] = end;
      }
    });
  }

  function addRows(rows: readonly Row[]): void {
    addInGroups(rows.length, (from, to) => {
      for (const column of columns) column.addRows(rows, from, to);
    });
  }

  return {
    add(rows) {
      if (!('count' in rows)) addRows(rows);
      else if (rows instanceof ColumnBatch && sameBytes(rows.layout.schema, layout.schema)) addBatch(rows);
      else addRows(rows.rows());
    },
    finish() {
      if (held > 0) endGroup();
      keep(() => writeFooter(piece, { schema: layout.schema, rest: layout.rest, groups, metadata }));
      const bytes = new Uint8Array(length);
      let at = 0;
      for (const each of pieces) {
        bytes.set(each, at);
        at += each.length;
      }
      return bytes;
    },
  };
}
