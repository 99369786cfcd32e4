// The running processes of a data directory, with their addresses: one file each in the folder `instances`, for commands that run beside
// them. Files of processes that have ended, and those in a copy of the directory, are ignored.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { isSameFolder } from '../../platform/process/own-folder.ts';
import { startOfProcess } from '../../platform/process/process-start.ts';
import { writeAtomically } from './write-atomically.ts';

/** `id`: unique among all processes; the gateway's GET /health has it too. */
export type Instance = {
  id: string;
  pid: number;
  api_url: string | null;
  ingest_url: string | null;
  internal_url: string | null;
};

/** `started`: that of the process; `host`: where its pid is valid; `data_dir`: the directory in which the file was written. */
type InstanceFile = Instance & { started: string; host: string; data_dir: string };

const folder = 'instances';

/** Registers a process, and removes those of this host that have ended. */
export function writeInstance(dataDir: string, instance: Instance): void {
  const home = resolve(dataDir);
  mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  for (const { name, file } of filesIn(home))
    if (file === null || (file.host === hostname() && !isRunning(file, home))) forget(home, name);
  const own = { started: startOfProcess(instance.pid) ?? '', host: hostname(), data_dir: home };
  writeAtomically(join(home, folder, `${instance.id}.json`), `${JSON.stringify({ ...instance, ...own })}\n`);
}

export function removeInstance(dataDir: string, id: string): void {
  forget(resolve(dataDir), `${id}.json`);
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
    return JSON.parse(readFileSync(path, 'utf8')) as InstanceFile;
  } catch {
    return null;
  }
}

function forget(home: string, name: string): void {
  rmSync(join(home, folder, name), { force: true });
}
