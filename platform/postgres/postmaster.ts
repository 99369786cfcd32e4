// One PostgreSQL server process on one cluster folder: its settings, start, pid file and end. Independent of where the folder and the
// programs come from, and of the data.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs, sleep } from '../process/clock.ts';
import type { ServerUser } from './embedded-user.ts';

export type Cluster = {
  dir: string;
  socketDir: string;
  port: number;
  logFile: string;
  user: ServerUser | null;
  postgres: string;
};

export type Postmaster = {
  pid: number;
  /** Resolves when the process has ended, for any reason. */
  exited: Promise<void>;
};

/** Small, and as durable as PostgreSQL gets: real fsync, and a commit returns once it is on disk. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  max_connections: '40',
  superuser_reserved_connections: '3',
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '16MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  autovacuum_naptime: '20s',
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  logging_collector: 'off',
  cluster_name: 'sds-embedded',
};

const maxLogBytes = 4 * 1024 * 1024;

/** A server that refused to start; the message has the end of its log. */
export class PostmasterRefused extends Error {
  override readonly name = 'PostmasterRefused';
  /** A predecessor is still ending: try again. */
  readonly predecessor: boolean;
  constructor(output: string) {
    super(`PostgreSQL did not start: ${output.trim() === '' ? 'it printed nothing' : output.trim()}`);
    this.predecessor =
      /lock file .{1,1000} already exists|pre-existing shared memory block|could not bind|already in use/.test(output);
  }
}

/** The arguments of the server. If they change, a running server is replaced, not adopted. */
export function postmasterArguments(cluster: Cluster): string[] {
  const own = { port: String(cluster.port), unix_socket_directories: `"${cluster.socketDir.replaceAll('"', '""')}"` };
  const all = Object.entries({ ...settings, ...own });
  return ['-D', cluster.dir, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

type PidFile = {
  pid: number;
  /** The cluster that the server was started on. */
  dir: string;
  /** Whether the server has declared itself ready. */
  ready: boolean;
};

/** The cluster's pid file; null without a complete one. */
export function readPidFile(dir: string): PidFile | null {
  try {
    const lines = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    return pid > 0 ? { pid, dir: lines[1]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/** Whether `pid` is a live process, not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return process.platform !== 'linux';
  }
}

/** Whether `pid` is a server on `dir`: a pid file may outlive its server, and any program may get its pid. */
export function servesCluster(pid: number, dir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const cwd = cwdOf(pid);
  return cwd === null || cwd === realpathSync(dir);
}

/** Whether a server, or a session that outlived one, uses `dir`. If that cannot be determined, assume so. */
export function isClusterInUse(dir: string): boolean {
  if (process.platform !== 'linux') return isAlive(readPidFile(dir)?.pid ?? 0);
  const folder = realpathSync(dir);
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return pids.some((pid) => cwdOf(Number(pid)) === folder && isAlive(Number(pid)));
}

function cwdOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Starts a server in its own session, so that the terminal's Ctrl-C does not reach it. */
export async function startPostmaster(cluster: Cluster, timeoutMs: number): Promise<Postmaster> {
  const from = trimLog(cluster.logFile);
  const log = openSync(cluster.logFile, 'a', 0o600);
  const child = spawn(cluster.postgres, postmasterArguments(cluster), {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', LANG: 'C', PATH: '/usr/bin:/bin' },
    ...(cluster.user === null ? {} : { uid: cluster.user.uid, gid: cluster.user.gid }),
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let gone: string | null = null;
  child.once('error', (error) => {
    gone = error.message;
  });
  child.once('exit', () => {
    gone ??= '';
  });
  const until = monotonicMs() + timeoutMs;
  for (let wait = 4; ; wait = Math.min(50, wait * 1.3)) {
    const file = readPidFile(cluster.dir);
    if (child.pid !== undefined && file?.pid === child.pid && file.ready) break;
    if (gone !== null)
      throw new PostmasterRefused(`${gone} ${readFileSync(cluster.logFile).subarray(from).toString('utf8')}`);
    if (monotonicMs() > until) {
      if (child.pid !== undefined) await endPostmaster({ pid: child.pid, exited });
      throw new PostmasterRefused(`not ready after ${timeoutMs} ms`);
    }
    await sleep(wait);
  }
  child.unref();
  return { pid: child.pid, exited };
}

/** A server that another process started; polls for its end. */
export function adoptPostmaster(pid: number, dir: string): Postmaster {
  const watch = async () => {
    while (servesCluster(pid, dir)) await sleep(100, undefined, { idle: true });
  };
  return { pid, exited: watch() };
}

/** Stops a server: first cleanly, cutting sessions and writing everything out; if that takes too long, harder. */
export async function endPostmaster(postmaster: { pid: number; exited?: Promise<void> }): Promise<void> {
  const { pid, exited } = postmaster;
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      break;
    }
    if (await within(patienceMs, () => !isAlive(pid))) break;
  }
  // The exit event is pending, and only this loop keeps our process alive for it.
  let hasExited = exited === undefined;
  void exited?.then(() => {
    hasExited = true;
  });
  await within(2_000, () => hasExited);
}

/** Whether `happened` becomes true in time. */
async function within(patienceMs: number, happened: () => boolean): Promise<boolean> {
  for (const until = monotonicMs() + patienceMs; monotonicMs() < until; await sleep(5)) if (happened()) return true;
  return happened();
}

/** Empties a log that has grown too long; returns where the next line begins. */
function trimLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxLogBytes) return size;
  rmSync(file);
  return 0;
}
