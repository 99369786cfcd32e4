// Runs in a test file's process before the file is loaded. The run's seed becomes that of every property, so that
// SDS_SEED=… npm test repeats a failure. The file gets its time limit. Files that run the API or the gateway in their
// own process get frozen prototypes (SECURITY.md, S18).
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    fileMinutes: number;
  }
}

const frozen = /\/tests\/(?:api|http|ingest\/(?:documents|gateway))\/.*\.e2e\.test\.ts$/;

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
const ofProcess = globalThis as typeof globalThis & { [limitOfFile]?: Worker };
let thread = ofProcess[limitOfFile];
if (thread === undefined) {
  thread = new Worker(limit, { eval: true });
  thread.unref();
  ofProcess[limitOfFile] = thread;
}
thread.postMessage(file);

if (frozen.test(file)) await import('../processes/frozen-prototypes.ts');
