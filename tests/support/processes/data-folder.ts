// A temporary data directory. If tests run as root, PostgreSQL runs as another user, who must be able to enter the
// folder: otherwise the database would be created elsewhere and never removed.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that every user may enter. The caller removes it. */
export function makeDataFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `sds-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
