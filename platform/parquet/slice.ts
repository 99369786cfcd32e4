// A range of the rows of a file, as rows or as a new file. Reads only the row groups in the range; groups entirely inside it are copied as
// bytes, so a reader of a growing tail costs its new rows and not the whole file.
import { metadataFrom } from '../../core/parquet/file-metadata.ts';
import { readFooter } from '../../core/parquet/footer.ts';
import { groupsHolding } from '../../core/parquet/group-range.ts';
import { keepGroups, openTail, stitch } from '../../core/parquet/tail.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import { runToEnd } from '../../core/scheduling/task.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { batchesOf } from './decode.ts';
import { encodingParquet } from './encode.ts';

/** The rows `[from, to)` of a file of `dataset`, in order. The file must have them. Throws ParquetFormatError if it is not one. */
export function sliceRows(dataset: Dataset, bytes: Uint8Array, from: number, to: number): ParquetRow[] {
  if (from === to) return [];
  const { first, before } = groupsHolding(groupRows(readFooter(bytes)), from, to);
  const rows: ParquetRow[] = [];
  const wanted = before + to - from;
  for (const batch of batchesOf(dataset, bytes, first)) {
    for (const row of batch.rows()) rows.push(row);
    if (rows.length >= wanted) break;
  }
  return rows.slice(before, wanted);
}

/** A file of the rows `[from, to)`, at least one. Throws as `sliceRows` does. */
export function cutRows(dataset: Dataset, bytes: Uint8Array, from: number, to: number): Uint8Array {
  const tail = openTail(bytes);
  const metadata = metadataFrom(tail.metadata, from);
  const { first, end, before, after } = groupsHolding(groupRows(tail), from, to);
  const encode = (start: number, stop: number) =>
    runToEnd(encodingParquet(dataset, sliceRows(dataset, bytes, start, stop) as never, metadata));
  const isWithinOne = end - first === 1 && before + after > 0;
  if (isWithinOne) return encode(from, to);
  const begun = before > 0 ? tail.groups[first]!.rows - before : 0;
  const left = after > 0 ? tail.groups[end - 1]!.rows - after : 0;
  const whole = keepGroups(tail, before > 0 ? first + 1 : first, after > 0 ? end - 1 : end);
  const files = [
    ...(begun > 0 ? [encode(from, from + begun)] : []),
    whole.bytes,
    ...(left > 0 ? [encode(to - left, to)] : []),
  ];
  return stitch(files, metadata).bytes;
}

function groupRows({ groups }: { groups: readonly { rows: number }[] }): number[] {
  return groups.map(({ rows }) => rows);
}
