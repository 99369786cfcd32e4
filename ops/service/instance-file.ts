// The running processes of a data directory, with their addresses: one file each in the folder `instances`, for commands that run beside
// them. Files of processes that have ended, and those in a copy of the directory, are ignored.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { isSameFolder } from '../../platform/process/own-folder.ts';
import { startOfProcess } from '../../platform/process/process-start.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * `id`: unique among all processes; the gateway's GET /health has it too. `state`: a process that starts, and may be waiting for what it
 * depends on, has no address of an API or a gateway yet.
 */
export type Instance = {
  id: string;
  pid: number;
  state: 'starting' | 'serving';
  api_url: string | null;
  ingest_url: string | null;
  internal_url: string | null;
};

/** `started`: that of the process; `host`: where its pid is valid; `data_dir`: the directory in which the file was written. */
type InstanceFile = Instance & { started: string; host: string; data_dir: string };

const folder = 'instances';

/** The file of a process, until it is removed. */
export type RegisteredInstance = {
  /** From now on the process serves, at these addresses. */
  serves(urls: Pick<Instance, 'api_url' | 'ingest_url'>): void;
  remove(): void;
  [Symbol.dispose](): void;
};

/** Registers a process that starts, and removes those of this host that have ended. */
export function registerInstance(
  dataDir: string,
  own: Pick<Instance, 'id' | 'pid' | 'internal_url'>,
): RegisteredInstance {
  const home = resolve(dataDir);
  const remove = (): void => forget(home, `${own.id}.json`);
  writeInstance(home, { ...own, state: 'starting', api_url: null, ingest_url: null });
  return {
    serves: (urls) => writeInstance(home, { ...own, state: 'serving', ...urls }),
    remove,
    [Symbol.dispose]: remove,
  };
}

function writeInstance(home: string, instance: Instance): void {
  mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  for (const { name, file } of filesIn(home))
    if (file === null || (file.host === hostname() && !isRunning(file, home))) forget(home, name);
  const own = { started: startOfProcess(instance.pid) ?? '', host: hostname(), data_dir: home };
  writeAtomically(join(home, folder, `${instance.id}.json`), `${JSON.stringify({ ...instance, ...own })}\n`);
}

/** The processes of this data directory that run on this host. */
export function runningInstances(dataDir: string): readonly Instance[] {
  const home = resolve(dataDir);
  return filesIn(home).flatMap(({ file }) => (file !== null && isRunning(file, home) ? [file] : []));
}

function isRunning({ pid, started, host, data_dir: origin }: InstanceFile, home: string): boolean {
  return host === hostname() && isSameFolder(origin, home) && startOfProcess(pid) === started;
}

/** Null: the file cannot be read. */
function filesIn(home: string): { name: string; file: InstanceFile | null }[] {
  try {
    const names = readdirSync(join(home, folder)).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => ({ name, file: read(join(home, folder, name)) }));
  } catch {
    return [];
  }
}

function read(path: string): InstanceFile | null {
  try {
    // Releases before wrote the file only once the process served, without its state.
    return { state: 'serving', ...(JSON.parse(readFileSync(path, 'utf8')) as Omit<InstanceFile, 'state'>) };
  } catch {
    return null;
  }
}

function forget(home: string, name: string): void {
  rmSync(join(home, folder, name), { force: true });
}
