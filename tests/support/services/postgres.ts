// PostgreSQL over TCP: the version of the npm package (18), as a program or in a container, and the machine's own if
// there is one. Each test makes its databases. A shared server gives up durability for speed. A test's own server is
// durable, because the test may kill it.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { installedPackage, prepareInPlace, stageBinaries } from '../../../platform/postgres/embedded-binaries.ts';
import { canReach, serverUser } from '../../../platform/postgres/embedded-user.ts';
import { containerHost, startContainer } from './container.ts';
import { images } from './images.ts';
import { findProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { copyMigratedDatabase } from './migrated-database.ts';
import { ServiceMissing } from './missing.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { unique } from './unique.ts';
import { inContainers } from './way.ts';

/** `drop` closes connections that are still open. */
type TestDatabase = { url: string; drop(): Promise<void> };

export type Postgres = {
  /** The URL of the server's own database `postgres`, with every right. */
  readonly url: string;
  /** Creates an empty database. */
  createDatabase(): Promise<TestDatabase>;
  /** Creates a database with the service's schema and rights, as its first start leaves it. */
  createMigratedDatabase(): Promise<TestDatabase>;
};

export type PostgresOptions = {
  binaries?: 'package' | 'system';
  durable?: boolean;
  settings?: Record<string, string>;
  /**
   * Files that the settings name and only the server may read. They are given to the server's user, so the server must
   * be a program of this machine.
   */
  files?: readonly string[];
};

/** The locale of a new server's databases. */
const locale = ['--encoding=UTF8', '--locale=C'];

function settingsOf({ durable = false, settings }: PostgresOptions): string[] {
  const speed = durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  const all = { max_connections: '500', ...speed, ...settings };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres & Controls> {
  const mayBeContained = options.binaries !== 'system' && options.files === undefined;
  if (mayBeContained && (await inContainers())) return await startPostgresContainer(options);
  return await startPostgresProgram(options);
}

export async function startPostgresContainer(options: PostgresOptions = {}): Promise<Postgres & Controls> {
  const port = await freePort();
  const url = `postgres://tests@${await containerHost()}:${port}/postgres`;
  const controls = await startContainer({
    name: 'PostgreSQL',
    image: images.postgres,
    command: ['postgres', ...settingsOf(options)],
    environment: {
      POSTGRES_USER: 'tests',
      POSTGRES_DB: 'postgres',
      POSTGRES_HOST_AUTH_METHOD: 'trust',
      POSTGRES_INITDB_ARGS: [...locale, '--no-sync'].join(' '),
    },
    ports: [{ container: 5432, host: port }],
    ready: () => query(url, 'select 1').then(() => true),
  });
  return { ...openPostgres(url), ...controls };
}

async function startPostgresProgram(options: PostgresOptions): Promise<Postgres & Controls> {
  const user = serverUser();
  const directory = leashedDirectory('postgres');
  chmodSync(directory.path, 0o755);
  const programs = options.binaries === 'system' ? systemBinaries() : packageBinaries(directory.path);
  const data = join(directory.path, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user !== null) for (const each of [data, ...(options.files ?? [])]) chownSync(each, user.uid, user.gid);
  const as = user === null ? {} : { as: { uid: user.uid, gid: user.gid } };
  const initial = ['-D', data, '-U', 'tests', '--auth=trust', '--no-sync', '--no-instructions', ...locale];
  await run(programs.initdb, initial, { cwd: '/', ...as });

  const port = await freePort();
  const address = ['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const url = `postgres://tests@127.0.0.1:${port}/postgres`;
  const controls = await startService({
    name: 'PostgreSQL',
    program: programs.postgres,
    args: ['-D', data, ...address, ...settingsOf(options)],
    directory,
    stopSignal: 'SIGINT',
    // An immediate shutdown: the server writes nothing, but unlike SIGKILL leaves no shared memory behind.
    endSignal: 'QUIT',
    ...as,
    ready: () => query(url, 'select 1').then(() => true),
  });
  return { ...openPostgres(url), ...controls };
}

/** The server at `url`, whose user may create databases. */
export function openPostgres(url: string): Postgres {
  const given = (name: string): TestDatabase => {
    const own = new URL(url);
    own.pathname = `/${name}`;
    return { url: own.href, drop: () => query(url, `drop database if exists "${name}" with (force)`) };
  };
  return {
    url,
    async createDatabase() {
      const name = unique('test');
      await query(url, `create database "${name}" template template0`);
      return given(name);
    },
    async createMigratedDatabase() {
      const name = unique('test');
      await copyMigratedDatabase(url, name);
      return given(name);
    },
  };
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // If the server ends meanwhile, the call rejects; no separate error event is raised.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

type Programs = { initdb: string; postgres: string };

/**
 * The package's programs in the checkout, or a copy in `directory` if the server's user cannot reach the checkout
 * (root's clone in root's home).
 */
function packageBinaries(directory: string): Programs {
  let packageDir: string;
  try {
    packageDir = installedPackage();
  } catch (error) {
    throw new ServiceMissing(error instanceof Error ? error.message : String(error));
  }
  const user = serverUser();
  if (user === null || canReach(user, join(packageDir, 'native', 'bin'))) return prepareInPlace(packageDir);
  return stageBinaries(packageDir, directory);
}

/** The newest server on this machine: Debian does not put its programs on the PATH. */
function systemBinaries(): Programs {
  const debian = '/usr/lib/postgresql';
  const majors = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = majors.map((major) => join(debian, major, 'bin'));
  const home = candidates.find((bin) => existsSync(join(bin, 'initdb')));
  const initdb = home === undefined ? findProgram('initdb') : join(home, 'initdb');
  const postgres = home === undefined ? findProgram('postgres') : join(home, 'postgres');
  if (initdb === undefined || postgres === undefined) {
    throw new ServiceMissing('this machine has no PostgreSQL server of its own (initdb and postgres)');
  }
  return { initdb, postgres };
}
