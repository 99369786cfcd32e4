// The peppers of the embedded edition: created at the first start and kept in the data directory, readable by their owner only.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import { makeDataDir } from '../../platform/process/data-dir.ts';
import { newSecret } from '../../platform/process/ids.ts';
import { writeAtomically } from './write-atomically.ts';

const name = 'key-peppers';

/** The peppers in `dataDir`; creates one of version 1 if there are none. */
export function readOrMakePeppers(dataDir: string): readonly Pepper[] {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    makeDataDir(dataDir);
    writeAtomically(file, `1:${Buffer.from(newSecret(32)).toString('base64')}\n`);
  }
  return readPeppers(dataDir);
}

/** The peppers in `dataDir`. @throws SettingError when no start has made them */
export function readPeppers(dataDir: string): readonly Pepper[] {
  const file = join(dataDir, name);
  if (!existsSync(file))
    throw new SettingError('SDS_DATA_DIR', `is ${dataDir}, and has no ${name}: the first start makes them`, './.data');
  return readFileSync(file, 'utf8').trim().split(',').map(readPepper);
}

/** Refuses a damaged pepper: keys stored with it would be lost, or unprotected. */
function readPepper(part: string): Pepper {
  const [version, text = ''] = part.split(':');
  const pepper = { version: Number(version), secret: new Uint8Array(Buffer.from(text, 'base64')) };
  if (!Number.isSafeInteger(pepper.version) || pepper.secret.length < 16)
    throw new Error(
      'the file key-peppers of the data directory is damaged: restore it; without it no key can be checked',
    );
  return pepper;
}
