// Verifies that a file of any size is the committed one: its digest, read part by part, and its row count, read group by group. Holds only
// one part or group in memory.
import { createHash } from 'node:crypto';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import { type FileRef, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { FileBytes, ParquetWriter } from '../../core/ports/parquet.ts';
import type { ExpectedFile } from './read-rows.ts';
import type { Report } from './report.ts';

export type CheckTools = {
  objects: Pick<ObjectStore, 'get'>;
  parquet: Pick<ParquetWriter, 'openStored'>;
  report: Report;
};

const bytesOfPart = 4_194_304;

/** Checks a file whose columns may differ from its dataset's by now. Counts its rows and reports every violation. */
export async function checkFile({ objects, parquet, report }: CheckTools, expected: ExpectedFile): Promise<void> {
  const { subject, rows: committed, file } = expected;
  report.count('files');
  try {
    const bytes = storedBytes(objects, file);
    if ((await digestOf(bytes)) !== file.sha256) {
      report.violated('I4', subject, `its bytes in ${file.key} differ from the committed ones`);
      return;
    }
    let rows = 0;
    for await (const { count } of (await parquet.openStored(null, bytes)).batches()) rows += count;
    report.count('rows', rows);
    report.expect(rows === committed, 'I5', subject, `it has ${rows} rows, ${committed} were committed`);
  } catch (error) {
    if (error instanceof ParquetFormatError) report.violated('I5', subject, error.message);
    else if (error instanceof Absent) report.violated('I7', subject, `its object ${file.key} is absent`);
    else if (error instanceof ObjectTruncated) report.violated('I7', subject, `its object ${file.key} is too short`);
    else throw error;
  }
}

class Absent extends Error {}

function storedBytes(objects: Pick<ObjectStore, 'get'>, { key, offset: start, size }: FileRef): FileBytes {
  return {
    size,
    async read(offset, length) {
      const bytes = await objects.get(key, { offset: start + offset, length });
      if (bytes === null) throw new Absent(key);
      return bytes;
    },
  };
}

async function digestOf(bytes: FileBytes): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.size; at += bytesOfPart) {
    hash.update(await bytes.read(at, Math.min(bytesOfPart, bytes.size - at)));
  }
  return hash.digest('hex');
}
