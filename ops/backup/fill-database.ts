// Fills an empty database from a backup, in the transaction of the caller.
import { join } from 'node:path';
import type { Sql } from '../../platform/postgres/sql.ts';
import { type BackupDescription, names } from './backup-folder.ts';
import { fillFromCatalog } from './catalog-file.ts';

/** @throws Error when the rows of the backup differ from its description */
export async function fillDatabase(
  tx: Sql,
  folder: string,
  described: BackupDescription,
  interrupted: AbortSignal,
): Promise<void> {
  const rows = await fillFromCatalog(tx, join(folder, names.catalog), interrupted);
  if (rows !== described.rows) throw new Error(`the backup has ${rows} rows, and says ${described.rows}`);
}
