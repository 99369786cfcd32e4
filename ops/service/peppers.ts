// The peppers of the embedded edition: made at the first start, kept in the data directory, readable by its owner only.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import { makeDataDir } from '../../platform/process/data-dir.ts';
import { newSecret } from '../../platform/process/ids.ts';
import { writeAtomically } from './write-atomically.ts';

/** The peppers kept in `dataDir`, one of version 1 made when there are none. */
export function readOrMakePeppers(dataDir: string): readonly Pepper[] {
  const file = join(dataDir, 'key-peppers');
  if (!existsSync(file)) {
    makeDataDir(dataDir);
    writeAtomically(file, `1:${Buffer.from(newSecret(32)).toString('base64')}\n`);
  }
  return readFileSync(file, 'utf8').trim().split(',').map(readPepper);
}

/** A pepper of a damaged file is none: keys stored under it would be lost, or guarded by nothing. */
function readPepper(part: string): Pepper {
  const [version, text = ''] = part.split(':');
  const pepper = { version: Number(version), secret: new Uint8Array(Buffer.from(text, 'base64')) };
  if (!Number.isSafeInteger(pepper.version) || pepper.secret.length < 16)
    throw new Error(
      'the file key-peppers of the data directory is damaged: restore it, keys cannot be checked without it',
    );
  return pepper;
}
