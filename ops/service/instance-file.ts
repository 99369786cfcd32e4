// The addresses of the running embedded instance: a file in the data directory, for commands that run next to it.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from './write-atomically.ts';

type Instance = { pid: number; api_url: string | null; ingest_url: string | null; internal_url: string | null };

const name = 'instance.json';

export function writeInstance(dataDir: string, instance: Instance): void {
  writeAtomically(join(dataDir, name), `${JSON.stringify(instance)}\n`);
}

export function removeInstance(dataDir: string): void {
  rmSync(join(dataDir, name), { force: true });
}

/** The instance of this data directory, if its process is alive. */
export function runningInstance(dataDir: string): Instance | null {
  try {
    const instance = JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as Instance;
    process.kill(instance.pid, 0);
    return instance;
  } catch {
    return null;
  }
}
