// Fills an empty database from a backup, in the transaction of the caller. The database refuses the releases that the original refused:
// `sds log grow` keeps older ones out before it adds partitions, and the backup may be taken before it has added the layout
// (docs/operations.md#adding-partitions).
import { join } from 'node:path';
import { openLogLayoutsCatalog } from '../../platform/postgres/log-layouts-catalog.ts';
import { refuseOlderAsBefore } from '../../platform/postgres/migrate.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { type OpenProgress, openProgress } from '../session/progress.ts';
import { type BackupDescription, names } from './backup-folder.ts';
import { fillFromCatalog } from './catalog-file.ts';

/** @throws Error when the rows of the backup differ from its description */
export async function fillDatabase(
  tx: Sql,
  folder: string,
  described: BackupDescription,
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<void> {
  const rows = await fillFromCatalog(tx, join(folder, names.catalog), interrupted, described.rows, open);
  if (rows !== described.rows) throw new Error(`the backup has ${rows} rows, and says ${described.rows}`);
  const { migrations, serves_from: servesFrom } = described;
  // A backup of an earlier build does not say, and its log may have more partitions than its layout.
  if (servesFrom === undefined) return openLogLayoutsCatalog(tx).keepOlderOut();
  await refuseOlderAsBefore(
    tx,
    migrations.map((name, index) => ({ name, servesFrom: servesFrom[index] ?? null })),
  );
}
