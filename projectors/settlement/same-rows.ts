// Whether two lists of rows say the same: a version is cut only when they do not.
import type { ParquetRow } from '../../core/ports/parquet.ts';

export function sameRows(a: readonly ParquetRow[], b: readonly ParquetRow[]): boolean {
  return a.length === b.length && a.every((row, index) => sameRow(row, b[index] as ParquetRow));
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
