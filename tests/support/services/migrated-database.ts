// Creates databases with the service's schema. The first one on a server is migrated, the others are copies of it,
// which takes a tenth of the time. Test files in several processes share the server; one of them creates the first.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { migrationsDir, readMigrations } from '../../../platform/postgres/migrate.ts';
import { readyDatabase } from '../../../platform/postgres/ready-database.ts';
import { databaseRoles } from '../../../platform/postgres/roles.ts';

/** The lock of the processes that look for the first database and create it. */
const templateLock = 7_305_133_199;

/** Creates the database `name` on the server at `url`, whose user may create databases. */
export async function copyMigratedDatabase(url: string, name: string): Promise<void> {
  const template = templateName();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await prepareTemplate(client, url, template);
    await client.query(`create database "${name}" template "${template}"`);
    // Rights on a database itself are not copied with it.
    await client.query(`revoke temporary on database "${name}" from public`);
  } finally {
    await client.end();
  }
}

/** The name contains the schema's hash, because a server may outlive the code. */
function templateName(): string {
  const hash = createHash('sha256').update(readFileSync(join(migrationsDir, 'rights.sql')));
  for (const { checksum } of readMigrations()) hash.update(checksum);
  return `migrated-${hash.digest('hex').slice(0, 16)}`;
}

async function prepareTemplate(client: pg.Client, url: string, template: string): Promise<void> {
  const isThere = async () => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    return rowCount === 1;
  };
  if (await isThere()) return;
  await client.query('select pg_advisory_lock($1)', [templateLock]);
  try {
    if (await isThere()) return;
    const unfinished = `${template}-unfinished`;
    await client.query(`drop database if exists "${unfinished}" with (force)`);
    await client.query(`create database "${unfinished}" template template0`);
    await readyDatabase({ kind: 'given', url: addressOf(url, unfinished) }, silentLog, 'prepare', databaseRoles);
    // Forbids connections, because PostgreSQL cannot copy a database in use.
    await client.query(`alter database "${unfinished}" with allow_connections false`);
    await client.query(`alter database "${unfinished}" rename to "${template}"`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [templateLock]);
  }
}

function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
