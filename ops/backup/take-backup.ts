// Backs up a running service (docs/backup.md). The catalog is read in one snapshot, whose moment is the backup's. Objects are copied before
// it, because there may be many, and again after it, for new ones. An object stays on disk for at least eleven minutes after it was
// superseded, so every object in the snapshot is found by one of the copies.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Millis } from '../../core/units.ts';
import { openDiskStore } from '../../platform/objects/disk.ts';
import { heldMigrations } from '../../platform/postgres/migrate.ts';
import { namedObjects } from '../../platform/postgres/objects-catalog.ts';
import { rightsNumber } from '../../platform/postgres/roles.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { beginSnapshot, countRows, keptTables } from '../../platform/postgres/table-rows.ts';
import { monotonicMs } from '../../platform/process/clock.ts';
import { CommandFailure } from '../session/command.ts';
import { firstFew } from '../session/first-few.ts';
import { type OpenProgress, openProgress } from '../session/progress.ts';
import { type BackupDescription, names, sha256Of } from './backup-folder.ts';
import { writeCatalog } from './catalog-file.ts';
import { copyObjects, countObjects } from './copy-objects.ts';
import { heldLog, keepLog } from './distributed-log.ts';
import { listingStore } from './object-list.ts';
import { beginUnfinished } from './unfinished-folder.ts';

export type BackupSource = {
  /** With the right to read every table. */
  sql: Sql;
  objects: ObjectStore;
  /** Null: the catalog contains the log. */
  log: Pick<Broker, 'watermarks' | 'read' | 'writerSchema'> | null;
  /** The text of the file of peppers; null: the administrator keeps them. */
  peppers: string | null;
  release: string;
  /** Backs up the rest where the store has lost objects that the catalog names. */
  withoutLost: boolean;
  interrupted: AbortSignal;
};

type NamedObject = { key: string; size: number | null };

/** Less than the grace period of superseded objects. */
const secondCopyMs: Millis = 8 * 60_000;

/** `folder` must not exist; it appears once the backup is complete. */
export async function takeBackup(
  source: BackupSource,
  folder: string,
  open: OpenProgress = openProgress,
): Promise<BackupDescription> {
  const { sql, objects, interrupted } = source;
  const part = `${folder}.part`;
  const unfinished = beginUnfinished(part);
  const store = await openDiskStore(join(part, names.objects));
  try {
    const list = join(part, names.list);
    const kept = listingStore(store, list);
    const { objects: all } = await countObjects(objects, interrupted);
    await copyObjects(objects, kept, interrupted, all, open);
    const catalog = join(part, names.catalog);
    // A snapshot of its own, because counting takes as long as the tables are large; only progress is measured by it.
    const allRows = await sql.transaction(async (tx) => {
      await beginSnapshot(tx);
      return countRows(tx, await keptTables(tx));
    });
    const begun = monotonicMs();
    const { takenAt, migrations, servesFrom, rows, awaited } = await sql.transaction(async (tx) => {
      const at = await beginSnapshot(tx);
      const held = (await heldMigrations(tx)).filter(({ number }) => number !== rightsNumber);
      return {
        takenAt: at,
        migrations: held.map(({ name }) => name),
        servesFrom: held.map(({ servesFrom }) => servesFrom),
        rows: await writeCatalog(tx, catalog, interrupted, allRows, open),
        awaited: await notHeld(kept, namedObjects(tx)),
      };
    });
    // After the snapshot, so that the log has everything acknowledged before it. Before the copy, because an object is stored before any
    // record refers to it.
    const held = source.log === null ? null : await heldLog(source.log);
    const damaged = await copyObjects(objects, kept, interrupted, all, open);
    if (monotonicMs() - begun > secondCopyMs)
      throw new Error(
        'reading the catalog and its newest objects took so long that some may be collected: try again at a quieter time',
      );
    const lost = [...new Set([...damaged, ...(await notHeld(kept, [awaited])).map(({ key }) => key)])];
    if (lost.length > 0 && !source.withoutLost) throw lostObjects(lost);
    const log = source.log === null || held === null ? null : await keepLog(source.log, kept, held, interrupted, open);
    if (source.peppers !== null) writeFileSync(join(part, names.peppers), source.peppers, { mode: 0o600, flush: true });
    const description: BackupDescription = {
      form: 1,
      edition: log === null ? 'embedded' : 'distributed',
      release: source.release,
      taken_at: takenAt,
      migrations,
      serves_from: servesFrom,
      rows,
      ...(await kept.finish()),
      catalog_sha256: await sha256Of(catalog),
      list_sha256: await sha256Of(list),
      ...(source.peppers === null ? {} : { peppers_sha256: await sha256Of(join(part, names.peppers)) }),
      ...(lost.length === 0 ? {} : { lost: lost.length }),
      ...(log === null ? {} : { log }),
    };
    writeFileSync(join(part, names.description), `${JSON.stringify(description)}\n`, { mode: 0o600, flush: true });
    unfinished.finish();
    renameSync(part, folder);
    return description;
  } finally {
    unfinished.leave();
    await store.close();
  }
}

/** Those that the backup does not have, or with another size: not yet, or because the store has lost them. */
async function notHeld(
  kept: Pick<ObjectStore, 'head'>,
  named: AsyncIterable<readonly NamedObject[]> | Iterable<readonly NamedObject[]>,
): Promise<readonly NamedObject[]> {
  const absent: NamedObject[] = [];
  for await (const batch of named)
    for (const each of batch) {
      const held = await kept.head(each.key);
      if (held === null || (each.size !== null && held.size !== each.size)) absent.push(each);
    }
  return absent;
}

function lostObjects(keys: readonly string[]): CommandFailure {
  return new CommandFailure(
    'failed',
    `the object store lacks or has damaged what the catalog names: ${firstFew(keys)}; no backup was made: put them back (a bucket with versions has them, and so has an older backup), or back up the rest with --without-lost`,
  );
}
