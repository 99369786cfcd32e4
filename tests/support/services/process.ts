// One service as a child process: starts it and waits until it is ready, ends it by its pid, and kills and freezes it
// for tests of its clients. Independent of the program. Everything it started ends with this process at the latest
// (leash.ts).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freezeTree, signalTree } from '../processes/process-tree.ts';
import { leashProcess } from './leash.ts';
import { until } from './until.ts';

/**
 * What a test may do to its own service. `stop` and `kill` keep the data; `restart` uses them again at the same
 * address.
 */
export type Controls = {
  /** Stops it as an administrator would. */
  stop(): Promise<void>;
  /** Kills all of its processes at once, like a power failure. */
  kill(): Promise<void>;
  /** Suspends all of its processes until `resume`: connections stay open and nothing answers. */
  freeze(): Promise<void>;
  resume(): Promise<void>;
  /** Starts it again after `stop` or `kill`; stops it first if it runs. */
  restart(): Promise<void>;
  /** The folder of its data; null for a container. */
  directory: string | null;
  /** Its standard output and error. */
  log(): Promise<string>;
  /** Ends it and removes its data. Called at the end of a test; the end of the process does it too. */
  [Symbol.asyncDispose](): Promise<void>;
};

export type Service = {
  name: string;
  program: string;
  args: readonly string[];
  directory: { path: string; remove(): void };
  env?: Record<string, string>;
  as?: { uid: number; gid: number };
  /** The signal for a proper end, and the fastest signal that leaves nothing behind. */
  stopSignal?: NodeJS.Signals;
  endSignal?: 'KILL' | 'QUIT';
  ready(): Promise<boolean>;
  readyWithinMs?: number;
};

/** Starts the service and waits until it is ready. */
export async function startService(service: Service): Promise<Controls> {
  const logFile = join(service.directory.path, 'output.log');
  let child: ChildProcess | undefined;
  let unleash = () => {};

  async function start(): Promise<void> {
    // A predecessor killed a moment ago may still hold its port or lock file. The program then ends at once and is
    // started again.
    const startedAt = performance.now();
    const patienceMs = service.readyWithinMs ?? 60_000;
    for (;;) {
      spawnIt();
      const started = child;
      const ended = () => started?.pid === undefined || started.exitCode !== null || started.signalCode !== null;
      await until(`${service.name} is ready`, async () => ended() || (await service.ready()), {
        withinMs: patienceMs,
      }).catch(async (error: unknown) => {
        await end('SIGKILL');
        throw new Error(`${service.name} does not start: ${lastLines()}`, { cause: error });
      });
      if (!ended()) return;
      unleash();
      if (performance.now() - startedAt > Math.min(15_000, patienceMs)) {
        throw new Error(`${service.name} does not start: ${lastLines()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  function spawnIt(): void {
    const log = openSync(logFile, 'a', 0o644);
    child = spawn(service.program, service.args, {
      cwd: service.directory.path,
      env: { ...process.env, ...service.env },
      stdio: ['ignore', log, log],
      // In a session of its own, so that Ctrl-C reaches only the test run, which passes it on.
      detached: true,
      ...service.as,
    });
    closeSync(log);
    // A program that cannot be started has no pid; `start` checks that.
    child.on('error', () => {});
    child.unref();
    if (child.pid !== undefined) unleash = leashProcess(child.pid, service.endSignal ?? 'KILL');
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (ending?.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.ref();
    const gone = once(ending, 'exit');
    if (signal === 'SIGKILL') signalTree(ending.pid, signal);
    else ending.kill(signal);
    // A frozen process receives the signal when it continues.
    signalTree(ending.pid, 'SIGCONT');
    const forced = setTimeout(() => ending.kill('SIGKILL'), 20_000);
    await gone;
    clearTimeout(forced);
    unleash();
  }

  const log = () => readFileSync(logFile, 'utf8');
  const lastLines = () => log().trim().split('\n').slice(-8).join(' | ') || 'it says nothing';
  const controls: Controls = {
    stop: () => end(service.stopSignal ?? 'SIGTERM'),
    kill: () => end('SIGKILL'),
    async freeze() {
      if (child?.pid !== undefined) await freezeTree(child.pid);
    },
    async resume() {
      if (child?.pid !== undefined) signalTree(child.pid, 'SIGCONT');
    },
    async restart() {
      await controls.stop();
      await start();
    },
    directory: service.directory.path,
    log: async () => log(),
    async [Symbol.asyncDispose]() {
      await end(`SIG${service.endSignal ?? 'KILL'}`);
      service.directory.remove();
    },
  };
  await start();
  return controls;
}
