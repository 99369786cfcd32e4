// A temporary folder for what the service writes. Where the tests run as root its PostgreSQL is another user, who has to get there: a folder
// of root's alone would send the database to a place outside it, where nobody removes it.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that every user may enter. Whoever asks for it removes it. */
export function makeDataFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `sds-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
