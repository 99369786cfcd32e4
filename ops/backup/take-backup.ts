// Backs up a running service (docs/backup.md). The catalog is read in one snapshot, whose moment is the backup's. Objects are copied before
// it, because there may be many, and again after it, for new ones. An object stays on disk for at least eleven minutes after it was
// superseded, so every object in the snapshot is found by one of the copies.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Millis } from '../../core/units.ts';
import { openDiskStore } from '../../platform/objects/disk.ts';
import { heldMigrations } from '../../platform/postgres/migrate.ts';
import { rightsNumber } from '../../platform/postgres/roles.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { beginSnapshot } from '../../platform/postgres/table-rows.ts';
import { monotonicMs } from '../../platform/process/clock.ts';
import { type BackupDescription, names, sha256Of } from './backup-folder.ts';
import { writeCatalog } from './catalog-file.ts';
import { copyObjects, countObjects } from './copy-objects.ts';
import { heldLog, keepLog } from './distributed-log.ts';

export type BackupSource = {
  /** With the right to read every table. */
  sql: Sql;
  objects: ObjectStore;
  /** Null: the catalog contains the log. */
  log: Pick<Broker, 'watermarks' | 'read' | 'writerSchema'> | null;
  /** The text of the file of peppers; null: the administrator keeps them. */
  peppers: string | null;
  release: string;
  interrupted: AbortSignal;
};

/** Less than the grace period of superseded objects. */
const secondCopyMs: Millis = 8 * 60_000;

/** `folder` must not exist; it appears once the backup is complete. */
export async function takeBackup(source: BackupSource, folder: string): Promise<BackupDescription> {
  const { sql, objects, interrupted } = source;
  const part = `${folder}.part`;
  if (existsSync(part)) removeUnfinished(part);
  mkdirSync(part, { mode: 0o700 });
  const kept = await openDiskStore(join(part, names.objects));
  try {
    await copyObjects(objects, kept, interrupted);
    const catalog = join(part, names.catalog);
    const begun = monotonicMs();
    const { takenAt, migrations, rows } = await sql.transaction(async (tx) => {
      const at = await beginSnapshot(tx);
      const held = (await heldMigrations(tx)).filter(({ number }) => number !== rightsNumber);
      return {
        takenAt: at,
        migrations: held.map(({ name }) => name),
        rows: await writeCatalog(tx, catalog),
      };
    });
    // After the snapshot, so that the log has everything acknowledged before it. Before the copy, because an object is stored before any
    // record refers to it.
    const log = source.log === null ? null : await heldLog(source.log);
    await copyObjects(objects, kept, interrupted);
    if (monotonicMs() - begun > secondCopyMs)
      throw new Error(
        'reading the catalog and its newest objects took so long that some may be collected: try again at a quieter time',
      );
    if (source.log !== null && log !== null) await keepLog(source.log, kept, log, interrupted);
    if (source.peppers !== null) writeFileSync(join(part, names.peppers), source.peppers, { mode: 0o600, flush: true });
    const description: BackupDescription = {
      form: 1,
      edition: log === null ? 'embedded' : 'distributed',
      release: source.release,
      taken_at: takenAt,
      migrations,
      rows,
      ...(await countObjects(kept)),
      catalog_sha256: await sha256Of(catalog),
      ...(log === null ? {} : { log }),
    };
    writeFileSync(join(part, names.description), `${JSON.stringify(description)}\n`, { mode: 0o600, flush: true });
    renameSync(part, folder);
    return description;
  } finally {
    await kept.close();
  }
}

/** Removes the leftovers of an interrupted attempt, and nothing else. */
function removeUnfinished(part: string): void {
  const own: readonly string[] = Object.values(names);
  if (!readdirSync(part).every((name) => own.includes(name)))
    throw new Error(`${part} exists, and is no unfinished backup`);
  rmSync(part, { recursive: true });
}
