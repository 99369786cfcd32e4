// Runs in a test file's process before the file is loaded. The run's seed becomes that of every property, so that
// SDS_SEED=… npm test repeats a failure. The file gets its time limit. Files of the suffix `e2e`, many of which run the
// API or the gateway in their own process, get frozen prototypes (SECURITY.md, S18). A file finds the environment as the
// process found it, and leaves nothing running for the next file of the process.
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { beforeAll, expect, inject } from 'vitest';
import { endFile } from './after-file.ts';
import { nothingLeftSince, openThings } from './left-over.ts';

declare module 'vitest' {
  interface ProvidedContext {
    fileMinutes: number;
    leavesNothing: boolean;
  }
}

const frozen = /\.e2e\.test\.ts$/;

const file = expect.getState().testPath ?? '';
const minutes = inject('fileMinutes');
const seed = Number(process.env.SDS_SEED);
if (Number.isSafeInteger(seed)) fc.configureGlobal({ seed });

/** A separate thread, because an endless loop blocks the timers of the file. All files of one process share it. */
const limit = `
  let timer;
  require('node:worker_threads').parentPort.on('message', (file) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, file + ' is ended after ${minutes} minutes\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ${minutes * 60_000});
  });
`;
const limitOfFile = Symbol.for('the time limit of a test file');
const foundEnvironment = Symbol.for('the environment of a test process');
const ofProcess = globalThis as typeof globalThis & {
  [limitOfFile]?: Worker;
  [foundEnvironment]?: NodeJS.ProcessEnv;
};
let thread = ofProcess[limitOfFile];
if (thread === undefined) {
  thread = new Worker(limit, { eval: true });
  thread.unref();
  ofProcess[limitOfFile] = thread;
}
thread.postMessage(file);

/** vitest itself changes its own variables from file to file. */
const isOfVitest = (name: string) => name.startsWith('VITEST');
ofProcess[foundEnvironment] ??= { ...process.env };
const found = ofProcess[foundEnvironment];
for (const name of Object.keys(process.env)) if (!(name in found) && !isOfVitest(name)) delete process.env[name];
for (const [name, value] of Object.entries(found)) if (!isOfVitest(name)) process.env[name] = value;

if (frozen.test(file)) await import('../processes/frozen-prototypes.ts');

// The first hook of a file: what it returns runs after the file's own `afterAll`.
const before = openThings();
beforeAll(() => async () => {
  await endFile();
  if (inject('leavesNothing')) await nothingLeftSince(before);
});
