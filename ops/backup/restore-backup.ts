// Makes a data directory from a backup (docs/backup.md). It is built next to its destination and moved there once it is complete, so that
// an interrupted restore leaves nothing that a start would take for a service.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openDiskStore } from '../../platform/objects/disk.ts';
import { chooseFolders } from '../../platform/postgres/embedded-folders.ts';
import { makeDataDir } from '../../platform/process/data-dir.ts';
import { makeOwnDatabase } from '../service/drivers.ts';
import { type BackupDescription, names } from './backup-folder.ts';
import { fillFromCatalog } from './catalog-file.ts';
import { assertCounted, copyObjects } from './copy-objects.ts';

/** Whether a data directory has contents that a restore would have to replace. */
export function isTaken(dataDir: string): boolean {
  return existsSync(dataDir) && readdirSync(dataDir).length > 0;
}

/** Whether a file system is mounted at the directory, such as a container's volume; no other directory can then be moved there. */
export function isMount(dataDir: string): boolean {
  return existsSync(dataDir) && statSync(dataDir).dev !== statSync(dirname(dataDir)).dev;
}

/** Moves the directory `aside` to the place of the data directory. @throws Error when the place is no longer empty */
export function takePlace(aside: string, dataDir: string): void {
  // A directory with contents is not removed: a service may have been started there meanwhile.
  if (isTaken(dataDir)) throw new Error(`${dataDir} is not empty any more: nothing of it was changed`);
  if (existsSync(dataDir)) rmdirSync(dataDir);
  renameSync(aside, dataDir);
}

/** @throws Error when the rows or objects of the backup differ from its description */
export async function restoreBackup(
  folder: string,
  described: BackupDescription,
  settings: Settings,
  log: Log,
  interrupted: AbortSignal,
): Promise<void> {
  const dataDir = resolve(settings.dataDir);
  const aside = `${dataDir}.restoring`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(dirname(dataDir), { recursive: true });
  makeDataDir(aside);
  const [kept, objects] = [
    await openDiskStore(join(folder, names.objects)),
    await openDiskStore(join(aside, 'objects')),
  ];
  assertCounted(described, await copyObjects(kept, objects, interrupted));
  await Promise.all([kept.close(), objects.close()]);
  const database = await makeOwnDatabase({ ...settings, dataDir: aside }, log);
  try {
    await database.sql.transaction(async (tx) => {
      const rows = await fillFromCatalog(tx, join(folder, names.catalog));
      if (rows !== described.rows) throw new Error(`the backup has ${rows} rows, and says ${described.rows}`);
    });
  } finally {
    await database.close();
  }
  const peppers = join(folder, names.peppers);
  if (existsSync(peppers))
    writeFileSync(join(aside, names.peppers), readFileSync(peppers), { mode: 0o600, flush: true });
  takePlace(aside, dataDir);
  // If root runs it, the database may be elsewhere, under a name derived from the directory.
  await chooseFolders(dataDir, log);
}
