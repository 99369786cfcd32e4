// PostgreSQL for tests: one embedded server per test process, a fresh database per suite; the same suites against DATABASE_URL where set.
import { chmodSync } from 'node:fs';
import { afterAll } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../platform/postgres/embedded.ts';
import { migrate } from '../../../platform/postgres/migrate.ts';
import { grantRights, handOver, makeRoles } from '../../../platform/postgres/roles.ts';
import { openPool, type PoolConfig, type Sql } from '../../../platform/postgres/sql.ts';
import { newSecret } from '../../../platform/process/ids.ts';
import { leashedDirectory, leashProcess } from './leash.ts';
import { services } from './services.ts';

/** `sql` has every right, `api` those of the role sds_api. */
export type TestDatabase = { sql: Sql; api: Sql; config: PoolConfig };

/** A server that tests may create databases in; `skip`: why it is not here; `isOurs`: it ends with this process, and its databases with it. */
export type TestServer = {
  name: string;
  skip: string | false;
  isOurs?: true;
  connect(database: string): Promise<PoolConfig>;
};

const databaseUrl = process.env.DATABASE_URL;

type Leashed = { server: EmbeddedPostgres; release(): void };

let embedded: { directory: { remove(): void }; server: Promise<Leashed> } | null = null;

/** The process's embedded server, started when first asked for and ended with the process's tests. */
export async function embeddedServer(): Promise<EmbeddedPostgres> {
  if (embedded === null) {
    const directory = leashedDirectory('embedded');
    // The server's own user has to reach it when the tests run as root.
    chmodSync(directory.path, 0o755);
    const started = startEmbeddedPostgres(directory.path, silentLog);
    embedded = {
      directory,
      server: started.then((server) => ({ server, release: leashProcess(server.pid(), 'QUIT') })),
    };
  }
  return (await embedded.server).server;
}

const closings: (() => Promise<void>)[] = [];

// Of the whole file: a hook that a hook or a test registers would run when that one ends.
afterAll(async () => {
  for (const close of closings) await close();
  if (embedded === null) return;
  const { server, release } = await embedded.server;
  await server.stop();
  release();
  embedded.directory.remove();
});

/** Every server the suites run against. */
export const testServers: readonly TestServer[] = [
  {
    name: 'embedded PostgreSQL',
    skip: false,
    isOurs: true,
    connect: async (database) => ({ connection: { ...(await embeddedServer()).connection, database } }),
  },
  ...(databaseUrl === undefined
    ? []
    : [
        {
          name: 'PostgreSQL of DATABASE_URL',
          skip: false as const,
          connect: async (database: string) => ({ connection: inUrl(databaseUrl, database) }),
        },
      ]),
];

/** These and the machine's own PostgreSQL, a second version of it: for the suites of the drivers themselves. */
export async function allTestServers(): Promise<readonly TestServer[]> {
  const system = await services.systemPostgres();
  const connect = async (database: string) => ({ connection: inUrl(system.url, database) });
  return [...testServers, { name: "the machine's own PostgreSQL", skip: system.skip, connect }];
}

/** A database of the server, empty or migrated, gone when the tests of the file are over. */
export async function openDatabase(
  server: TestServer = testServers[0]!,
  options: { empty?: boolean; maxConnections?: number } = {},
): Promise<TestDatabase> {
  const name = `sds_test_${Buffer.from(newSecret(6)).toString('hex')}`;
  const admin = openPool({ ...(await server.connect('postgres')), maxConnections: 1 });
  await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
  const config: PoolConfig = { ...(await server.connect(name)), maxConnections: options.maxConnections ?? 20 };
  const sql = openPool(config);
  const api = openPool({ ...config, role: 'sds_api', maxConnections: 14 });
  closings.push(async () => {
    await api.close();
    await sql.close();
    // To drop a database is a checkpoint of the whole server: only who lends us the server needs it.
    if (server.isOurs !== true) await admin.query(`drop database ${name} with (force)`);
    await admin.close();
  });
  if (options.empty !== true) {
    await makeRoles(sql, silentLog, null);
    await handOver(sql);
    const owner = openPool({ ...config, role: 'sds_migrator', maxConnections: 1 });
    await migrate(owner, silentLog);
    await grantRights(owner);
    await owner.close();
  }
  return { sql, api, config };
}

function inUrl(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.href;
}
