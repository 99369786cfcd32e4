// A backup: a folder with the catalog's rows, the objects and a list of them, the peppers and a description, which is written last.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { KeptPartition } from './distributed-log.ts';

export type BackupDescription = {
  form: 1;
  /** Absent in backups of earlier builds: embedded. */
  edition?: 'embedded' | 'distributed';
  release: string;
  /** By the database's clock: everything acknowledged before this time is in the backup. */
  taken_at: string;
  migrations: readonly string[];
  /** For each migration, which older versions the database served (`HeldMigration.servesFrom`). Absent in backups of earlier builds. */
  serves_from?: readonly (number | null)[];
  rows: number;
  objects: number;
  bytes: number;
  catalog_sha256: string;
  /** Of the list of objects. Absent in backups of earlier builds, which have no list, and for the peppers of services that keep them elsewhere. */
  list_sha256?: string;
  peppers_sha256?: string;
  /** How many objects that the catalog names are not in the backup, because the store had lost them. */
  lost?: number;
  /** Distributed: the contents of the log. Embedded: absent, because the catalog contains the log. */
  log?: readonly KeptPartition[];
};

export const names = {
  description: 'backup.json',
  catalog: 'catalog.ndjson.gz',
  objects: 'objects',
  list: 'objects.ndjson',
  peppers: 'key-peppers',
} as const;

/** `none`: the folder is not a backup, or an unfinished one. `damaged`: its description cannot be read. */
export function describedBackup(folder: string): BackupDescription | 'none' | 'damaged' {
  const file = join(folder, names.description);
  if (!existsSync(file)) return 'none';
  try {
    const described = JSON.parse(readFileSync(file, 'utf8')) as BackupDescription;
    return described.form === 1 && Array.isArray(described.migrations) ? described : 'damaged';
  } catch {
    return 'damaged';
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
