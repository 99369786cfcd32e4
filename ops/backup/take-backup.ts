// Takes a backup of a service that goes on meanwhile (docs/backup.md). The catalog is read in one snapshot, its moment is the backup's. Objects
// are copied before it, because there may be many, and again after it, for those that came in between: what the snapshot names is on disk until
// eleven minutes after it was superseded, so whatever the second copy does not find, nothing of the snapshot names.
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
  /** Null: the catalog holds the log. */
  log: Pick<Broker, 'watermarks' | 'read' | 'writerSchema'> | null;
  /** The text of the file of peppers; null: they are not the service's to keep. */
  peppers: string | null;
  release: string;
  interrupted: AbortSignal;
};

/** Below the grace of superseded objects. */
const secondCopyMs: Millis = 8 * 60_000;

/** `folder` must not exist; it appears when the backup is whole. */
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
    // Later than the snapshot: what was acknowledged before it, the log holds by now. Earlier than the copy: an object that a record refers to
    // was there before the record.
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

/** What an interrupted attempt has left; nothing else is removed. */
function removeUnfinished(part: string): void {
  const own: readonly string[] = Object.values(names);
  if (!readdirSync(part).every((name) => own.includes(name)))
    throw new Error(`${part} exists, and is no unfinished backup`);
  rmSync(part, { recursive: true });
}
