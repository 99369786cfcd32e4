// Makes a data directory from a backup (docs/backup.md). It is built next to its destination and moved there once it is complete, so that
// an interrupted restore leaves nothing that a start would take for a service.
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openDiskStore } from '../../platform/objects/disk.ts';
import { chooseFolders } from '../../platform/postgres/embedded-folders.ts';
import { makeOwnDatabase } from '../service/drivers.ts';
import { firstFew } from '../session/first-few.ts';
import { type BackupDescription, names } from './backup-folder.ts';
import { fillDatabase } from './fill-database.ts';
import { beginUnfinished } from './unfinished-folder.ts';
import { copyKept } from './whole-backup.ts';

/** Null: a restore would replace nothing there. Otherwise what is there. */
export function contentsOf(dataDir: string): string | null {
  if (!existsSync(dataDir)) return null;
  if (!statSync(dataDir).isDirectory()) return 'is a file';
  const names = readdirSync(dataDir);
  return names.length === 0 ? null : `is not empty (${firstFew(names)})`;
}

/** Whether a file system is mounted at the directory, such as a container's volume; no other directory can then be moved there. */
export function isMount(dataDir: string): boolean {
  return existsSync(dataDir) && statSync(dataDir).dev !== statSync(dirname(dataDir)).dev;
}

/** Moves the directory `aside` to the place of the data directory. @throws Error when the place is no longer empty */
export function takePlace(aside: string, dataDir: string): void {
  // A directory with contents is not removed: a service may have been started there meanwhile.
  const contents = contentsOf(dataDir);
  if (contents !== null) throw new Error(`${dataDir} ${contents} by now: nothing of it was changed`);
  if (existsSync(dataDir)) rmdirSync(dataDir);
  renameSync(aside, dataDir);
}

/** @throws Error when the rows or objects of the backup differ from its description */
export async function restoreBackup(
  folder: string,
  described: BackupDescription,
  kept: Pick<ObjectStore, 'get' | 'list'>,
  settings: Settings,
  log: Log,
  interrupted: AbortSignal,
): Promise<void> {
  const dataDir = resolve(settings.dataDir);
  const aside = `${dataDir}.restoring`;
  const unfinished = beginUnfinished(aside);
  try {
    await fillAside(aside, folder, described, kept, settings, log, interrupted);
    unfinished.finish();
  } finally {
    unfinished.leave();
  }
  takePlace(aside, dataDir);
  // If root runs it, the database may be elsewhere, under a name derived from the directory.
  await chooseFolders(dataDir, log);
}

async function fillAside(
  aside: string,
  folder: string,
  described: BackupDescription,
  kept: Pick<ObjectStore, 'get' | 'list'>,
  settings: Settings,
  log: Log,
  interrupted: AbortSignal,
): Promise<void> {
  const objects = await openDiskStore(join(aside, 'objects'));
  await copyKept(folder, described, kept, objects, interrupted);
  await objects.close();
  const database = await makeOwnDatabase({ ...settings, dataDir: aside }, log);
  try {
    await database.sql.transaction((tx) => fillDatabase(tx, folder, described, interrupted));
  } finally {
    await database.close();
  }
  const peppers = join(folder, names.peppers);
  if (existsSync(peppers))
    writeFileSync(join(aside, names.peppers), readFileSync(peppers), { mode: 0o600, flush: true });
}
