// The embedded edition's PostgreSQL: our own server below the data directory, running as long as we do. Survives kill -9 of this process
// (the next one adopts the server) and of the server (it is restarted and recovers). The caller holds the data directory's lock.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../core/ports/telemetry.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { makeDataDir } from '../process/data-dir.ts';
import { newSecret } from '../process/ids.ts';
import { isSameFolder } from '../process/own-folder.ts';
import type { Binaries } from './embedded-binaries.ts';
import { chooseFolders, clustersOf, forgetShortSocketDir, refuseBadCopy } from './embedded-folders.ts';
import type { Cluster, Postmaster } from './postmaster.ts';
import {
  adoptPostmaster,
  endPostmaster,
  isClusterInUse,
  PostmasterRefused,
  postmasterArguments,
  readPidFile,
  servesCluster,
  startPostmaster,
} from './postmaster.ts';
import { openPool } from './sql.ts';

export type Connection = { host: string; port: number; user: string; password: string; database: string };

export type EmbeddedPostgres = {
  connection: Connection;
  /** Where the database's files are: below the data directory, unless the server's user has no access there. */
  clusterDir: string;
  pid(): number;
  /** Whether the start created a cluster, started a server, or found the server of an earlier process running. */
  origin: 'created' | 'started' | 'adopted';
  /** Stops the server cleanly. */
  stop(): Promise<void>;
};

const user = 'sds';
const database = 'postgres';
const port = 5432;
/** An ending predecessor holds its pid file for a second or two. */
const startPatienceMs = 15_000;
const startTimeoutMs = 60_000;

/** Starts, restarts or adopts the server of `dataDir`, and keeps it running until `stop`. */
export async function startEmbeddedPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const home = resolve(dataDir);
  makeDataDir(home);
  const place = await chooseFolders(home, log);
  refuseBadCopy(home, place.dir, place.user);
  const password = secretOf(home);
  const cluster: Cluster = { ...place, port, logFile: join(home, 'postgresql.log'), postgres: place.binaries.postgres };
  const connection: Connection = { host: cluster.socketDir, port, user, password, database };
  const created = await createCluster(cluster, place.binaries, password, log);
  const { postmaster, adopted } = await startOrAdopt(cluster, connection, home, log);
  let current = postmaster;
  const stopping = new AbortController();
  const supervision = supervise();

  async function supervise(): Promise<void> {
    for (;;) {
      await current.exited;
      if (stopping.signal.aborted) return;
      log.error('PostgreSQL ended unexpectedly: restarting it', { pid: current.pid });
      for (let wait = 50; ; wait = Math.min(5_000, wait * 2)) {
        try {
          current = await startPatiently(cluster);
          // The stop ended the former server, because it did not know this one.
          if (stopping.signal.aborted) return await endPostmaster(current);
          break;
        } catch (error) {
          log.error('PostgreSQL does not start', { error: error instanceof Error ? error.message : String(error) });
          await sleep(wait, stopping.signal, { idle: true });
          if (stopping.signal.aborted) return;
        }
      }
      log.info('PostgreSQL is back', { pid: current.pid });
    }
  }

  return {
    connection,
    clusterDir: cluster.dir,
    pid: () => current.pid,
    origin: created ? 'created' : adopted ? 'adopted' : 'started',
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await endPostmaster(current);
      await supervision;
      forgetShortSocketDir(home, cluster.socketDir);
    },
  };
}

/**
 * How to connect to the server of `dataDir` that another process runs; null if there is none. For tools that run next to the service. A
 * copied data directory describes the original's server, so its description is ignored.
 */
export function embeddedConnection(dataDir: string): Connection | null {
  const home = resolve(dataDir);
  try {
    const description = readFileSync(join(home, 'postgresql.json'), 'utf8');
    const { dir: described = '', socketDir } = JSON.parse(description) as Record<string, string>;
    const dir = clustersOf(home).find((each) => isSameFolder(each, described));
    const file = dir === undefined ? null : readPidFile(dir);
    if (dir === undefined || socketDir === undefined || file === null || !servesCluster(file.pid, dir)) return null;
    return { host: socketDir, port, user, password: secretOf(home), database };
  } catch {
    return null;
  }
}

/** The server's password, created once. */
function secretOf(home: string): string {
  const file = join(home, 'postgresql.password');
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, Buffer.from(newSecret(24)).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

/** Creates the cluster unless it exists. It is created in a temporary folder and renamed, so that an interrupted creation starts over. */
async function createCluster(cluster: Cluster, binaries: Binaries, password: string, log: Log): Promise<boolean> {
  if (existsSync(join(cluster.dir, 'PG_VERSION'))) return false;
  log.info('creating the database', { directory: cluster.dir });
  const aside = `${cluster.dir}.new`;
  const passwordFile = `${cluster.dir}.pw`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const owner = cluster.user;
  if (owner !== null) for (const path of [aside, passwordFile]) chownSync(path, owner.uid, owner.gid);
  try {
    await promisify(execFile)(
      binaries.initdb,
      [
        `--pgdata=${aside}`,
        `--username=${user}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      {
        cwd: '/',
        env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
        ...(owner === null ? {} : { uid: owner.uid, gid: owner.gid }),
      },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(aside, cluster.dir);
  return true;
}

/** Adopts the server that an earlier process left running, if its arguments are the current ones; otherwise starts one. */
async function startOrAdopt(
  cluster: Cluster,
  connection: Connection,
  home: string,
  log: Log,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const description = JSON.stringify({
    dir: cluster.dir,
    socketDir: cluster.socketDir,
    arguments: [cluster.postgres, ...postmasterArguments(cluster)],
  });
  const file = join(home, 'postgresql.json');
  const running = readPidFile(cluster.dir);
  if (running !== null && servesCluster(running.pid, cluster.dir)) {
    const same = existsSync(file) && readFileSync(file, 'utf8') === description;
    if (same && running.ready && (await answers(connection))) {
      log.info('adopted the running database', { pid: running.pid });
      return { postmaster: adoptPostmaster(running.pid, cluster.dir), adopted: true };
    }
    log.info('stopping the database server of an earlier process', { pid: running.pid });
    await endPostmaster({ pid: running.pid });
  }
  writeFileSync(`${file}.new`, description, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return { postmaster: await startPatiently(cluster), adopted: false };
}

async function answers(connection: Connection): Promise<boolean> {
  const sql = openPool({ connection, maxConnections: 1 });
  try {
    await sql.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await sql.close();
  }
}

/** Starts the server, waiting for a predecessor to disappear. */
async function startPatiently(cluster: Cluster): Promise<Postmaster> {
  const until = monotonicMs() + startPatienceMs;
  for (;;) {
    try {
      return await startPostmaster(cluster, startTimeoutMs);
    } catch (error) {
      if (!(error instanceof PostmasterRefused && error.predecessor) || monotonicMs() > until) throw error;
      dropForeignLocks(cluster);
      await sleep(100);
    }
  }
}

/** A lock file whose pid now belongs to another program would prevent the server from ever starting. */
function dropForeignLocks(cluster: Cluster): void {
  if (isClusterInUse(cluster.dir)) return;
  const socket = join(cluster.socketDir, `.s.PGSQL.${cluster.port}`);
  for (const file of [join(cluster.dir, 'postmaster.pid'), `${socket}.lock`, socket]) rmSync(file, { force: true });
}
