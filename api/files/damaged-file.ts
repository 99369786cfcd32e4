// A committed file is missing or has other bytes than the catalog says. That is a bug: it is logged and the file is never served. It is not
// an outage, because the store did answer.
import { type FileRef, type NamedObjects, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';

export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  /** Whether the file is missing altogether. */
  readonly missing: boolean;
  constructor(message: string, missing: boolean) {
    super(message);
    this.missing = missing;
  }
}

const nothingThere = 'missing';

/** Bytes [from, from + length) of a file, not verified yet. @throws DamagedFile when there are fewer; Unavailable */
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

/** Logs the damage and returns the error to throw. */
export function damagedFile(log: Log, { key, sha256 }: { key: string; sha256: string }, damage: string): DamagedFile {
  log.error('committed file is damaged', { object: key, sha256, damage });
  return new DamagedFile(`${key}: ${damage}`, damage === nothingThere);
}
