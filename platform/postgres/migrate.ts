// Migrates a database's schema forward: numbered files in order, each in its own transaction. An applied migration must not change: one
// that has been edited stops the start. Never migrates back. Each migration notes in the database which older versions can keep running on the
// new schema: only the newer version can know (docs/operations.md#migrations).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { codeOf } from './failures.ts';
import type { Sql } from './sql.ts';

export type Migration = {
  number: number;
  name: string;
  text: string;
  checksum: string;
  /**
   * Older versions keep running on the new schema if their newest migration has this number or a higher one; null: no older version does.
   */
  servesFrom: number | null;
};

/** This code cannot continue from the schema in the database. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

/** The code's own migrations. */
export const migrationsDir = fileURLToPath(new URL('../../schemas/catalog/', import.meta.url));

/** Serialises concurrent migrations. */
const migrationLock = 7_305_133_101;

/** The migrations of a folder, in order: `NNNN_name.sql`, numbered 1, 2, 3 … without a gap. */
export function readMigrations(dir: string = migrationsDir): Migration[] {
  const files = readdirSync(dir)
    .filter((file) => /^[0-9]{4}_[a-z0-9_]+\.sql$/.test(file))
    .sort();
  return files.map((file, index) => {
    const number = Number(file.slice(0, 4));
    if (number !== index + 1)
      throw new MigrationRefused(`migration ${file} is out of order: number ${index + 1} is expected`);
    const text = readFileSync(join(dir, file), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    return { number, name: file.slice(5, -4), text, checksum, servesFrom: servesFromIn(text) };
  });
}

let newest: number | null = null;

/** The number of the newest migration that this code knows, read once. */
export function newestMigration(): number {
  newest ??= readMigrations().at(-1)?.number ?? 0;
  return newest;
}

/** The number in a line such as `-- serves-from: 0026`. */
function servesFromIn(text: string): number | null {
  const line = /^-- serves-from: ([0-9]{4})$/m.exec(text)?.[1];
  return line === undefined ? null : Number(line);
}

export type HeldMigration = Pick<Migration, 'number' | 'name' | 'checksum' | 'servesFrom'>;

/** The contents of schema_migrations; none if the database is empty. */
export async function heldMigrations(sql: Sql): Promise<readonly HeldMigration[]> {
  const { rows } = await sql.query(`select to_regclass('public.schema_migrations') is not null as made`);
  return rows[0]?.made === true ? listHeld(sql) : [];
}

/** Older versions created the table without this column. */
async function listHeld(sql: Sql): Promise<HeldMigration[]> {
  const { rows } = await sql.query(
    `select number, name, checksum, (to_jsonb(m) ->> 'serves_from')::integer as "servesFrom"
     from schema_migrations m order by number`,
  );
  return rows as HeldMigration[];
}

/** `pending`: what the database lacks. `newer`: migrations that this version does not know, but can run with. */
export type SchemaDistance = { pending: readonly string[]; newer: readonly string[] };

/** @throws MigrationRefused when this version cannot run with the schema, migrated or not */
export function schemaDistance(
  held: readonly HeldMigration[],
  migrations: readonly Migration[] = readMigrations(),
): SchemaDistance {
  return {
    newer: refuseForeign(held, migrations).map(labelOf),
    pending: migrations.filter(({ number }) => !held.some((row) => row.number === number)).map(labelOf),
  };
}

/**
 * Applies the missing migrations and returns their names.
 * @throws MigrationRefused when the database holds a migration that the code lacks, or one that has been edited since
 * @throws CatalogUnavailable when a table stays in use for minutes
 */
export async function migrate(
  sql: Sql,
  log: Log,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  await lockingBriefly(sql, log, 'schema_migrations', async (tx) => {
    await tx.query(`create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
    // Only where it is missing, because the statement waits for all who read the table, such as a backup.
    const { rowCount } = await tx.query(
      `select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'serves_from'`,
    );
    if (rowCount === 0) await tx.query('alter table schema_migrations add column serves_from integer');
  });
  const applied: string[] = [];
  for (const migration of migrations) if (await applyOne(sql, log, migration, migrations)) applied.push(migration.name);
  if (applied.length > 0) log.info('schema migrated', { migrations: applied.join(', ') });
  return applied;
}

async function applyOne(sql: Sql, log: Log, migration: Migration, all: readonly Migration[]): Promise<boolean> {
  return lockingBriefly(sql, log, labelOf(migration), async (tx) => {
    const held = await listHeld(tx);
    const [newer] = refuseForeign(held, all);
    if (newer !== undefined) throw unknown(newer);
    if (held.some((row) => row.number === migration.number)) return false;
    // A migration may take long; the other guards stay.
    await tx.query("set local statement_timeout = '10min'");
    await tx.query(migration.text);
    const { number, name, checksum, servesFrom } = migration;
    await tx.query('insert into schema_migrations (number, name, checksum, serves_from) values ($1, $2, $3, $4)', [
      number,
      name,
      checksum,
      servesFrom,
    ]);
    return true;
  });
}

/** A statement of the service waits 3 s for a lock (sql.ts); a migration that waits for a table blocks all who come after it. */
const tableLockMs = 2_000;
/** Until the next attempt those who wait have their turn. */
const pauseMs = 1_000;
const patienceMs = 5 * 60_000;

/**
 * A transaction under the lock of the schema, repeated for minutes while a table that it needs is in use: each time it waits briefly, so
 * that the service goes on.
 */
async function lockingBriefly<T>(sql: Sql, log: Log, what: string, work: (tx: Sql) => Promise<T>): Promise<T> {
  const until = monotonicMs() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    let isLocked = false;
    try {
      return await sql.transaction(async (tx) => {
        await lockSchema(tx);
        await tx.query(`set local lock_timeout = ${tableLockMs}`);
        isLocked = true;
        return await work(tx);
      });
    } catch (error) {
      if (!isLocked || !(error instanceof CatalogUnavailable) || codeOf(error.cause) !== lockNotAvailable) throw error;
      if (monotonicMs() > until)
        throw new CatalogUnavailable(
          `${what} waits for a table that a long transaction uses, such as a backup: try again after it`,
          { cause: error },
        );
      if (isFirst) log.warn('a migration waits for a table that is in use', { migration: what });
      await sleep(pauseMs);
    }
  }
}

const lockNotAvailable = '55P03';

/** Locks the schema: no other transaction may change it, its owners or its rights meanwhile. */
export async function lockSchema(tx: Sql): Promise<void> {
  await tx.query("set local lock_timeout = '5min'; set local statement_timeout = '10min'");
  await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
}

/** Makes the schema refuse the older versions that the one of a backup refused: a command may have closed it to more than its files do. */
export async function refuseOlderAsBefore(
  tx: Sql,
  held: readonly Pick<HeldMigration, 'name' | 'servesFrom'>[],
): Promise<void> {
  for (const { name, servesFrom } of held)
    await tx.query('update schema_migrations set serves_from = $2 where name = $1', [name, servesFrom]);
}

function labelOf({ number, name }: { number: number; name: string }): string {
  return `${String(number).padStart(4, '0')}_${name}`;
}

/** The migrations that this version does not know, but can run with. @throws MigrationRefused when it cannot, or one was edited */
function refuseForeign(held: readonly HeldMigration[], known: readonly Migration[]): HeldMigration[] {
  const newest = known.at(-1)?.number ?? 0;
  const newer: HeldMigration[] = [];
  for (const row of held) {
    // Number 0 is no migration: it records which rights are granted (roles.ts).
    if (row.number === 0) continue;
    const migration = known.find((each) => each.number === row.number);
    if (migration !== undefined && migration.checksum !== row.checksum) {
      throw new MigrationRefused(
        `migration ${labelOf(row)} was changed after it had been applied: restore its file and add a new one`,
      );
    }
    if (migration !== undefined) continue;
    if (row.servesFrom === null || row.servesFrom > newest) throw unknown(row);
    newer.push(row);
  }
  return newer;
}

function unknown(row: HeldMigration): MigrationRefused {
  return new MigrationRefused(
    `the database has migration ${labelOf(row)}, which this version does not know: run the newer version`,
  );
}
