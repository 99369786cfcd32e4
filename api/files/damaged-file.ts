// A committed file is missing or has other bytes than the catalog says: a defect, told in the log, never an answer. It is no outage of the
// store, whose answer it is.
import { type FileRef, type NamedObjects, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';

export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  /** Whether there is nothing of it at all. */
  readonly missing: boolean;
  constructor(message: string, missing: boolean) {
    super(message);
    this.missing = missing;
  }
}

const nothingThere = 'missing';

/** Bytes [from, from + length) of a file, as many as that; nothing is known of what they say. @throws DamagedFile, Unavailable. */
export async function readOfFile(
  { objects, deadlines, log }: { objects: NamedObjects; deadlines: Deadlines; log: Log },
  file: FileRef,
  from: number,
  length: number,
): Promise<Buffer> {
  const found = await deadlines.objects(async () => {
    try {
      return await objects.get(file.key, { offset: file.offset + from, length });
    } catch (error) {
      if (error instanceof ObjectTruncated) return cutOff;
      throw error;
    }
  });
  if (found === cutOff) throw damagedFile(log, file, 'cut off');
  if (found === null) throw damagedFile(log, file, nothingThere);
  if (found.length !== length) throw damagedFile(log, file, `${found.length} bytes instead of ${length} at ${from}`);
  return Buffer.from(found.buffer, found.byteOffset, found.byteLength);
}

const cutOff = Symbol('cut off');

/** The error to throw; the log has been told. */
export function damagedFile(log: Log, { key, sha256 }: { key: string; sha256: string }, damage: string): DamagedFile {
  log.error('committed file is damaged', { object: key, sha256, damage });
  return new DamagedFile(`${key}: ${damage}`, damage === nothingThere);
}
