// Whether two lists of rows, or two files, say the same: a version is cut only when they do not. Files are compared a row group at a time.
import type { ParquetRow, ParquetWriter, StoredFile } from '../../core/ports/parquet.ts';

export function sameRows(a: readonly ParquetRow[], b: readonly ParquetRow[]): boolean {
  return a.length === b.length && a.every((row, index) => sameRow(row, b[index] as ParquetRow));
}

/** Other columns are a difference; other bytes of the same rows, as another release writes them, are none. */
export async function sameFiles(
  parquet: Pick<ParquetWriter, 'openStored'>,
  a: Uint8Array,
  b: Uint8Array,
): Promise<boolean> {
  if (Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b)) return true;
  const [left, right] = await Promise.all([a, b].map((bytes) => parquet.openStored(null, bytesOf(bytes))));
  if (left === undefined || right === undefined || left.rows !== right.rows) return false;
  const others = rowsOf(right);
  for await (const row of rowsOf(left)) {
    const { value: other } = await others.next();
    if (other === undefined || !sameRow(row, other)) return false;
  }
  return true;
}

function bytesOf(bytes: Uint8Array) {
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
}

async function* rowsOf(file: StoredFile): AsyncGenerator<ParquetRow, undefined> {
  for await (const batch of file.batches()) yield* batch.rows();
  return undefined;
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
