// A committed file is missing or has other bytes than the catalog says: a defect, told in the log, never an answer.
import type { FileRef } from '../core/ports/object-store.ts';
import type { Log } from '../core/ports/telemetry.ts';

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

/** The error to throw; the log has been told. */
export function damagedFile(log: Log, { key, sha256 }: Pick<FileRef, 'key' | 'sha256'>, damage: string): DamagedFile {
  log.error('committed file is damaged', { key, sha256, damage });
  return new DamagedFile(`${key}: ${damage}`, damage === nothingThere);
}
