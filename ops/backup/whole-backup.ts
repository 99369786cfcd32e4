// Whether a backup is as it was written. What is missing or has changed is named, before anything is restored from it and while its objects are
// copied.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import { CommandFailure } from '../session/command.ts';
import { firstFew } from '../session/first-few.ts';
import { counted, type OpenProgress, openProgress } from '../session/progress.ts';
import { type BackupDescription, names, sha256Of } from './backup-folder.ts';
import { assertCounted, copyListed, copyObjects, countObjects } from './copy-objects.ts';
import { listedObjects } from './object-list.ts';

/** A file of a backup, and what is wrong with it. */
type Fault = { name: string; what: string };

/**
 * Reads the few large files, and looks for each listed object and its size.
 * @throws CommandFailure that names what is missing or has changed
 */
export async function assertWhole(
  folder: string,
  described: BackupDescription,
  kept: Pick<ObjectStore, 'head' | 'list'>,
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<void> {
  const faults: Fault[] = [];
  for (const [name, sha256] of [
    [names.catalog, described.catalog_sha256],
    [names.list, described.list_sha256],
    [names.peppers, described.peppers_sha256],
  ] as const) {
    if (sha256 === undefined) continue;
    const file = join(folder, name);
    if (!existsSync(file)) faults.push({ name, what: 'is missing' });
    else if ((await sha256Of(file)) !== sha256) faults.push({ name, what: 'has another SHA-256' });
  }
  if (faults.length > 0) throw damaged(folder, faults);
  if (described.list_sha256 === undefined) return assertCounted(described, await countObjects(kept, interrupted));
  using progress = open({ unit: 'objects', all: described.objects });
  for await (const { key, size } of counted(progress, listedObjects(join(folder, names.list)))) {
    interrupted.throwIfAborted();
    const held = await kept.head(key);
    const name = `${names.objects}/${key}`;
    if (held === null) faults.push({ name, what: 'is missing' });
    else if (held.size !== size) faults.push({ name, what: `has ${held.size} of ${size} bytes` });
  }
  if (faults.length > 0) throw damaged(folder, faults);
}

/** Copies every object of the backup that `to` lacks. @throws CommandFailure that names those with other bytes */
export async function copyKept(
  folder: string,
  described: BackupDescription,
  kept: Pick<ObjectStore, 'get' | 'list'>,
  to: Pick<ObjectStore, 'head' | 'put'>,
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<void> {
  const { list_sha256: list, objects: all } = described;
  if (list === undefined) return void (await copyObjects(kept, to, interrupted, all, open));
  const changed = await copyListed(kept, to, listedObjects(join(folder, names.list)), interrupted, all, open);
  if (changed.length > 0)
    throw damaged(
      folder,
      changed.map((key) => ({ name: `${names.objects}/${key}`, what: 'has another SHA-256' })),
    );
}

function damaged(folder: string, faults: readonly Fault[]): CommandFailure {
  const named = firstFew(faults.map(({ name, what }) => `${name} ${what}`));
  return new CommandFailure(
    'failed',
    `${folder} is damaged: ${named}; nothing can start on what was restored: put back these files from another copy of the backup, or restore another backup`,
  );
}
