// Loaded before a program (`node --import`), in each of its threads: holds the main thread from a SIGUSR2 until the test lets go, and breaks any
// other thread when the test asks. Test and program speak by files in the folder that SDS_TEST_THREADS names.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.SDS_TEST_THREADS ?? '';
const lookEveryMs = 20;

if (isMainThread) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  process.on('SIGUSR2', () => {
    writeFileSync(join(folder, 'held'), '');
    while (!existsSync(join(folder, 'let-go'))) Atomics.wait(cell, 0, 0, lookEveryMs);
  });
} else {
  setInterval(() => {
    if (existsSync(join(folder, 'break'))) throw new Error('the test broke this thread');
  }, lookEveryMs).unref();
}
