// Rows of a committed file, believed only when the bytes are those that were committed.
import { createHash } from 'node:crypto';
import { type FileRef, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { ParquetRow, ParquetWriter } from '../../core/ports/parquet.ts';
import type { Report } from './report.ts';

export type VerifyTools = { objects: Pick<ObjectStore, 'get'>; parquet: Pick<ParquetWriter, 'decode'>; report: Report };

export type ExpectedFile = { subject: string; dataset: string; rows: number; file: FileRef };

/** The rows, or null when the file is not the committed one. Rows are counted, whatever is wrong is said. */
export async function readRows(
  { objects, parquet, report }: VerifyTools,
  { subject, dataset, rows: count, file }: ExpectedFile,
): Promise<readonly ParquetRow[] | null> {
  report.count('files');
  const bytes = await bytesOf(objects, file);
  if (bytes === 'absent' || bytes === 'too short') {
    report.violated('I7', subject, `its object ${file.key} is ${bytes}`);
    return null;
  }
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256) {
    report.violated('I4', subject, `its bytes in ${file.key} are not those that were committed`);
    return null;
  }
  const rows = parquet.decode(dataset, bytes);
  report.count('rows', rows.length);
  report.expect(rows.length === count, 'I5', subject, `it has ${rows.length} rows, ${count} were committed`);
  return rows;
}

async function bytesOf(objects: Pick<ObjectStore, 'get'>, file: FileRef): Promise<Uint8Array | 'absent' | 'too short'> {
  try {
    return (await objects.get(file.key, { offset: file.offset, length: file.size })) ?? 'absent';
  } catch (error) {
    if (error instanceof ObjectTruncated) return 'too short';
    throw error;
  }
}
