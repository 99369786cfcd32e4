// A backup: a folder with the catalog's rows, the objects, the peppers and a description, which is written last.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
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
  rows: number;
  objects: number;
  bytes: number;
  catalog_sha256: string;
  /** Distributed: the contents of the log. Embedded: absent, because the catalog contains the log. */
  log?: readonly KeptPartition[];
};

export const names = {
  description: 'backup.json',
  catalog: 'catalog.ndjson.gz',
  objects: 'objects',
  peppers: 'key-peppers',
} as const;

/** Null: the folder is not a backup, or an unfinished one. */
export function describedBackup(folder: string): BackupDescription | null {
  try {
    const described = JSON.parse(readFileSync(join(folder, names.description), 'utf8')) as BackupDescription;
    return described.form === 1 ? described : null;
  } catch {
    return null;
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
