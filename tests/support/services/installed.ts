// Programs that the services consist of, installed once per checkout below `.cache/` and found again by version. Two
// processes that install the same program wait for each other, and an interrupted installation does not count as
// installed.
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from '../../../scripts/lock.mjs';
import { startProgress } from '../../../scripts/progress.mjs';
import { ServiceMissing } from './missing.ts';

const cache = fileURLToPath(new URL('../../../.cache/services', import.meta.url));
const installTimeoutMs = 15 * 60_000;

/** Where `name` in `version` is installed, or would be. */
export function homeOf(name: string, version: string): string {
  return join(cache, `${name}-${version}-${process.platform}-${process.arch}`);
}

/** The directory of `name` in `version`; if it is missing, `build` fills an empty one. */
export async function installed(
  name: string,
  version: string,
  from: string,
  build: (directory: string) => Promise<void>,
): Promise<string> {
  const home = homeOf(name, version);
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  const waiting = (pid: number) => console.error(`Waiting for process ${pid}, which is installing ${name} …`);
  await withLock(`${home}.lock`, waiting, async () => {
    if (existsSync(home)) return;
    const aside = `${home}.new`;
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(aside);
    const progress = startProgress(`Installing ${name} ${version} (${from})`);
    try {
      await build(aside);
      renameSync(aside, home);
      progress.done();
    } catch (error) {
      progress.fail();
      rmSync(aside, { recursive: true, force: true });
      if (error instanceof ServiceMissing) throw error;
      throw new ServiceMissing(`installing ${name} ${version} (${from}) failed: ${messageOf(error)}`);
    }
  });
  return home;
}

/** Runs a program to its end. A failure names the last lines of its output. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: installTimeoutMs,
    ...options.as,
  });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    said += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 'nothing'));
  });
  if (code === 0) return out;
  const last = said.trim().split('\n').slice(-5).join(' | ');
  throw new Error(`${program} ended with ${code}: ${last}`);
}

type RunOptions = { cwd?: string; env?: Record<string, string>; as?: { uid?: number; gid?: number } };

/** The path of the first of `names` that is installed on this machine. */
export function findProgram(...names: readonly string[]): string | undefined {
  const path = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/local/sbin'];
  for (const name of names) {
    for (const directory of path) {
      const candidate = join(directory, name);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // Continues with the next directory.
      }
    }
  }
  return undefined;
}

/** Like `findProgram`, but a missing program makes the service missing. */
export function needProgram(...names: readonly string[]): string {
  const found = findProgram(...names);
  if (found === undefined) throw new ServiceMissing(`there is no ${names.join(' or ')} on this machine`);
  return found;
}

/** A Java that can run the services: Kafka's broker needs 17. */
export async function needJava(): Promise<string> {
  const home = process.env.JAVA_HOME;
  const java =
    home !== undefined && existsSync(join(home, 'bin', 'java')) ? join(home, 'bin', 'java') : needProgram('java');
  const { stderr } = await promisify(execFile)(java, ['-version']).catch((error: Error) => ({ stderr: error.message }));
  const major = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  if (major < 17) throw new ServiceMissing(`Java 17 or newer is needed, and ${java} is ${major || 'not one'}`);
  return java;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
