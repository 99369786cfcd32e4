// What a backup is: a folder with the catalog's rows, the objects, the peppers and a description, which is written last.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { KeptPartition } from './distributed-log.ts';

export type BackupDescription = {
  form: 1;
  /** Absent in those of earlier builds: embedded. */
  edition?: 'embedded' | 'distributed';
  release: string;
  /** By the database's clock: everything that was acknowledged before it is in the backup. */
  taken_at: string;
  migrations: readonly string[];
  rows: number;
  objects: number;
  bytes: number;
  catalog_sha256: string;
  /** Distributed: what the log held. Embedded: absent, the catalog has it. */
  log?: readonly KeptPartition[];
};

export const names = {
  description: 'backup.json',
  catalog: 'catalog.ndjson.gz',
  objects: 'objects',
  peppers: 'key-peppers',
} as const;

/** Null: it is no backup, or none that was finished. */
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
