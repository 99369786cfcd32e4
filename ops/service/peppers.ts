// The peppers of the embedded edition: made at the first start, kept in the data directory, readable by its owner only.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import { newSecret } from '../../platform/process/ids.ts';

/** The peppers kept in `dataDir`, one of version 1 made when there are none. */
export function readOrMakePeppers(dataDir: string): readonly Pepper[] {
  const file = join(dataDir, 'key-peppers');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `1:${Buffer.from(newSecret(32)).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(file, 'utf8').trim().split(',').map(readPepper);
}

function readPepper(part: string): Pepper {
  const [version, secret] = part.split(':');
  return { version: Number(version), secret: new Uint8Array(Buffer.from(secret ?? '', 'base64')) };
}
