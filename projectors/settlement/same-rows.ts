// Whether two lists of rows, or two files, have the same content: a new version is cut only if they differ. Files are compared by row groups.
import type { ParquetRow, ParquetWriter } from '../../core/ports/parquet.ts';

export function sameRows(a: readonly ParquetRow[], b: readonly ParquetRow[]): boolean {
  return a.length === b.length && a.every((row, index) => sameRow(row, b[index] as ParquetRow));
}

/** Other columns count as a difference; other bytes for the same rows, as another release may write them, do not. */
export function sameFiles(parquet: Pick<ParquetWriter, 'batches'>, a: Uint8Array, b: Uint8Array): boolean {
  if (Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b)) return true;
  const others = rowsOf(parquet, b);
  for (const row of rowsOf(parquet, a)) {
    const other = others.next();
    if (other.done || !sameRow(row, other.value)) return false;
  }
  return others.next().done === true;
}

function* rowsOf(parquet: Pick<ParquetWriter, 'batches'>, bytes: Uint8Array): Generator<ParquetRow, undefined> {
  for (const batch of parquet.batches(null, bytes)) yield* batch.rows();
}

/** A column that one of the rows lacks is a difference. */
function sameRow(a: ParquetRow, b: ParquetRow): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]));
}

function sameValue(a: ParquetRow[string] | undefined, b: ParquetRow[string] | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
