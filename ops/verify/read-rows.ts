// Reads the rows of a committed file, only if its bytes are the committed ones.
import { createHash } from 'node:crypto';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import { type FileRef, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { ParquetRow, ParquetWriter } from '../../core/ports/parquet.ts';
import type { Report } from './report.ts';

export type VerifyTools = {
  objects: Pick<ObjectStore, 'get'>;
  parquet: Pick<ParquetWriter, 'decode' | 'decodeOwnColumns'>;
  report: Report;
};

export type ExpectedFile = { subject: string; rows: number; file: FileRef };

type Read = ReturnType<ParquetWriter['decodeOwnColumns']>;

/** The rows of a file of the dataset, or null if it is not the committed one. Counts the rows and reports every violation. */
export async function readRows(
  tools: VerifyTools,
  { dataset, ...expected }: ExpectedFile & { dataset: string },
): Promise<readonly ParquetRow[] | null> {
  const decode = (bytes: Uint8Array): Read => ({ columns: [], rows: tools.parquet.decode(dataset, bytes) });
  return (await readFile(tools, expected, decode))?.rows ?? null;
}

/** The same for a file whose columns may differ from its dataset's by now. */
export function readOwnColumns(tools: VerifyTools, expected: ExpectedFile): Promise<Read | null> {
  return readFile(tools, expected, (bytes) => tools.parquet.decodeOwnColumns(bytes));
}

async function readFile(
  { objects, report }: VerifyTools,
  { subject, rows: count, file }: ExpectedFile,
  decode: (bytes: Uint8Array) => Read,
): Promise<Read | null> {
  report.count('files');
  const bytes = await bytesOf(objects, file);
  if (bytes === 'absent' || bytes === 'too short') {
    report.violated('I7', subject, `its object ${file.key} is ${bytes}`);
    return null;
  }
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256) {
    report.violated('I4', subject, `its bytes in ${file.key} differ from the committed ones`);
    return null;
  }
  try {
    const read = decode(bytes);
    const { length } = read.rows;
    report.count('rows', length);
    report.expect(length === count, 'I5', subject, `it has ${length} rows, ${count} were committed`);
    return read;
  } catch (error) {
    if (!(error instanceof ParquetFormatError)) throw error;
    report.violated('I5', subject, error.message);
    return null;
  }
}

async function bytesOf(objects: Pick<ObjectStore, 'get'>, file: FileRef): Promise<Uint8Array | 'absent' | 'too short'> {
  try {
    return (await objects.get(file.key, { offset: file.offset, length: file.size })) ?? 'absent';
  } catch (error) {
    if (error instanceof ObjectTruncated) return 'too short';
    throw error;
  }
}
