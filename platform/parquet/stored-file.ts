// A file that is read by ranges: first its end, where the footer is, then its row groups one after another. Held are the footer and one group.
// Unaware of where the bytes are, and believes them: a digest is known of the whole file alone, so that checking it is a read of its own.
import { footerLength, readFooter } from '../../core/parquet/footer.ts';
import type { FileBytes, StoredFile } from '../../core/ports/parquet.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { columnsIn, layoutFor } from './decode.ts';
import { type ColumnBatch, checkRows, readGroup } from './read-groups.ts';

/** Enough for the footer of most files: that of a million rows takes some 60 kB. */
const firstRead = 65_536;

/** The file, whose columns are those of `dataset`, or of no dataset where that is null. Throws ParquetFormatError when it is no such file. */
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

/** The end of the file with the whole footer, and how many bytes stand before it. */
async function endOf(bytes: FileBytes): Promise<[Uint8Array, number]> {
  const missing = Math.max(0, bytes.size - firstRead);
  const end = bytes.size === 0 ? new Uint8Array() : await bytes.read(missing, bytes.size - missing);
  const length = footerLength(end, missing);
  if (length <= end.length) return [end, missing];
  return [await bytes.read(bytes.size - length, length), bytes.size - length];
}
