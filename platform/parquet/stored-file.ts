// Reads a file by ranges: first its end with the footer, then one row group after another. Holds the footer and one group. Trusts the
// bytes: the digest covers the whole file, so checking it takes a separate read.
import { footerLength, readFooter } from '../../core/parquet/footer.ts';
import type { FileBytes, StoredFile } from '../../core/ports/parquet.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { columnsIn, layoutFor } from './decode.ts';
import { type ColumnBatch, checkRows, readGroup } from './read-groups.ts';

/** Enough for the footer of most files: a file of a million rows has some 60 kB. */
const firstRead = 65_536;

/** Opens a file with the columns of `dataset`, or any columns if null. Throws ParquetFormatError if it is not one. */
export async function openStored(dataset: Dataset | null, bytes: FileBytes): Promise<StoredFile> {
  const footer = readFooter(...(await endOf(bytes)));
  checkRows(footer);
  const layout = layoutFor(dataset, footer);
  return {
    columns: columnsIn(layout),
    rows: footer.rows,
    metadata: footer.metadata,
    async *batches(): AsyncGenerator<ColumnBatch> {
      for (const group of footer.groups) {
        const read = await bytes.read(group.start, group.end - group.start);
        yield readGroup(layout, group, read, group.start);
      }
    },
  };
}

/** The end of the file including the whole footer, and how many bytes precede it. */
async function endOf(bytes: FileBytes): Promise<[Uint8Array, number]> {
  const missing = Math.max(0, bytes.size - firstRead);
  const end = bytes.size === 0 ? new Uint8Array() : await bytes.read(missing, bytes.size - missing);
  const length = footerLength(end, missing);
  if (length <= end.length) return [end, missing];
  return [await bytes.read(bytes.size - length, length), bytes.size - length];
}
