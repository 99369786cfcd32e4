// The service as `npm start` runs it, in a process of its own and with its PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadyFile } from '../../ops/service/first-keys.ts';
import { makeDataFolder } from '../support/processes/data-folder.ts';
import { productFlags } from '../support/processes/product-flags.ts';
import { leashProcess } from '../support/services/leash.ts';
import { until } from '../support/services/until.ts';
import { describe } from './profile.ts';

const entry = fileURLToPath(new URL('../../ops/cli.ts', import.meta.url));

export type StartedService = AsyncDisposable & { ready: ReadyFile; pid: number; dataDir: string };

export async function startService(
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<StartedService> {
  const folder = makeDataFolder('bench');
  const readyFile = join(folder, 'ready.json');
  const child = spawn(process.execPath, [...productFlags, ...nodeOptions, entry, 'start'], {
    env: {
      ...process.env,
      SDS_DATA_DIR: join(folder, 'data'),
      SDS_READY_FILE: readyFile,
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_RATE_LIMITS: 'PRO:100000000,address:100000000',
      SDS_FEED_LIMITS: 'requests:1000000,bytes:100000000000,elements:1000000000',
      SDS_DEMO: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const pid = child.pid ?? 0;
  const unleash = leashProcess(pid, 'KILL');
  await until('the service is ready', () => existsSync(readyFile) || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
  return {
    pid,
    dataDir: join(folder, 'data'),
    ready: JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      unleash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Profiles each thread of a service from its start to its end, while `work` uses it; answers lines to print. */
export async function profiledService(work: (service: StartedService) => Promise<unknown>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sds-bench-profile-'));
  try {
    {
      await using service = await startService({}, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
      await work(service);
    }
    const files = readdirSync(folder).sort();
    if (files.length === 0) return ['the service has left no profile'];
    return files.flatMap((file) => [threadOf(file), ...describe(JSON.parse(readFileSync(join(folder, file), 'utf8')))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The thread that a profile's file name stands for: thread 0 is the first one, the other is the API's. */
function threadOf(file: string): string {
  return file.split('.')[4] === '0' ? 'the main thread' : 'the thread of the API';
}

/**
 * The memory of the process and of all processes it started, in MB. Shared pages are divided among the processes that
 * share them (PSS).
 */
export function memoryOf(pid: number): { ours: number; others: number } {
  return { ours: pssOf(pid), others: startedBy(pid).reduce((sum, each) => sum + pssOf(each), 0) };
}

/** All processes that the process started, directly or through another. */
export function startedBy(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : null;
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (each: number): number[] => (children.get(each) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** CPU seconds the process has used, with all its threads; Linux counts in hundredths. */
export function cpuSecondsOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

function parentOf(pid: string): number | null {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? null : Number(parent);
}

function pssOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

/** The process may have ended. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
