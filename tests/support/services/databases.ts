// PostgreSQL for tests: a fresh database for each suite on the server that the run lends, and the same suites on
// DATABASE_URL if that is set.
import { openPool, type PoolConfig, type Sql } from '../../../platform/postgres/sql.ts';
import { newSecret } from '../../../platform/process/ids.ts';
import { afterFile } from '../vitest/after-file.ts';
import { copyMigratedDatabase } from './migrated-database.ts';
import { services } from './services.ts';

/** `sql` has every right, `api` those of the role sds_api. */
export type TestDatabase = { sql: Sql; api: Sql; config: PoolConfig };

/** A server in which tests may create databases; `skip`: why it is not available. */
export type TestServer = {
  name: string;
  skip: string | false;
  url: string;
};

const lent = await services.postgres();
const databaseUrl = process.env.DATABASE_URL;

/** Every server the suites run against. */
export const testServers: readonly TestServer[] = [
  { name: 'PostgreSQL', skip: lent.skip, url: lent.skip === false ? lent.url : '' },
  ...(databaseUrl === undefined
    ? []
    : [{ name: 'PostgreSQL of DATABASE_URL', skip: false as const, url: databaseUrl }]),
];

/** The same and the machine's own PostgreSQL, a second version of it, for the suites of the drivers themselves. */
export async function allTestServers(): Promise<readonly TestServer[]> {
  const system = await services.systemPostgres();
  const url = system.skip === false ? system.url : '';
  return [...testServers, { name: "the machine's own PostgreSQL", skip: system.skip, url }];
}

/** A database of the server, empty or migrated, which is dropped after the file's tests. */
export async function openDatabase(
  server: TestServer = testServers[0]!,
  options: { empty?: boolean; maxConnections?: number } = {},
): Promise<TestDatabase> {
  const name = `sds_test_${Buffer.from(newSecret(6)).toString('hex')}`;
  const admin = openPool({ connection: inUrl(server.url, 'postgres'), maxConnections: 1 });
  if (options.empty === true) await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
  else await copyMigratedDatabase(server.url, name);
  const config: PoolConfig = { connection: inUrl(server.url, name), maxConnections: options.maxConnections ?? 20 };
  const sql = openPool(config);
  const api = openPool({ ...config, role: 'sds_api', maxConnections: 14 });
  afterFile(async () => {
    await api.close();
    await sql.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.close();
  });
  return { sql, api, config };
}

function inUrl(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.href;
}
