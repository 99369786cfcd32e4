// Migrates a database's schema forward: numbered files in order, each in its own transaction. An applied migration must not change: one
// that is missing or has been edited stops the start. Never migrates back.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Sql } from './sql.ts';

export type Migration = { number: number; name: string; text: string; checksum: string };

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
    return { number, name: file.slice(5, -4), text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

export type HeldMigration = { number: number; name: string; checksum: string };

/** The contents of schema_migrations; none if the database is empty. */
export async function heldMigrations(sql: Sql): Promise<readonly HeldMigration[]> {
  const { rows } = await sql.query(`select to_regclass('public.schema_migrations') is not null as made`);
  if (rows[0]?.made !== true) return [];
  return (await sql.query(listHeld)).rows as HeldMigration[];
}

const listHeld = 'select number, name, checksum from schema_migrations order by number';

/** The migrations that the database lacks. @throws MigrationRefused as `migrate` does */
export function pendingMigrations(
  held: readonly HeldMigration[],
  migrations: readonly Migration[] = readMigrations(),
): { label: string }[] {
  refuseForeign(held, migrations);
  return migrations
    .filter(({ number }) => !held.some((row) => row.number === number))
    .map((each) => ({ label: labelOf(each) }));
}

/**
 * Applies the missing migrations and returns their names.
 * @throws MigrationRefused when the database holds a migration that the code lacks, or one that has been edited since.
 */
export async function migrate(
  sql: Sql,
  log: Log,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  await sql.transaction(async (tx) => {
    await lockSchema(tx);
    await tx.query(`create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
  });
  const applied: string[] = [];
  for (const migration of migrations) if (await applyOne(sql, migration, migrations)) applied.push(migration.name);
  if (applied.length > 0) log.info('schema migrated', { migrations: applied.join(', ') });
  return applied;
}

async function applyOne(sql: Sql, migration: Migration, all: readonly Migration[]): Promise<boolean> {
  return sql.transaction(async (tx) => {
    await lockSchema(tx);
    const { rows } = await tx.query(listHeld);
    refuseForeign(rows as HeldMigration[], all);
    if (rows.some((row) => row.number === migration.number)) return false;
    // A migration may take long; the other guards stay.
    await tx.query("set local statement_timeout = '10min'");
    await tx.query(migration.text);
    await tx.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    return true;
  });
}

/** Locks the schema: no other transaction may change it, its owners or its rights meanwhile. */
export async function lockSchema(tx: Sql): Promise<void> {
  await tx.query("set local lock_timeout = '5min'; set local statement_timeout = '10min'");
  await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
}

function labelOf({ number, name }: { number: number; name: string }): string {
  return `${String(number).padStart(4, '0')}_${name}`;
}

function refuseForeign(held: readonly HeldMigration[], known: readonly Migration[]): void {
  for (const row of held) {
    // Number 0 is no migration: it records which rights are granted (roles.ts).
    if (row.number === 0) continue;
    const label = labelOf(row);
    const migration = known.find((each) => each.number === row.number);
    if (migration === undefined) {
      throw new MigrationRefused(
        `the database has migration ${label}, which this version does not know: run the newer version`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationRefused(
        `migration ${label} was changed after it had been applied: restore its file and add a new one`,
      );
    }
  }
}
