// Loaded before a program (`node --import`) in each of its threads. A SIGUSR2 blocks the main thread until the test
// releases it; the test can also break another thread, by the name of its program. Test and program communicate by
// files in the folder SDS_TEST_THREADS.
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
    const broken = `break-${basename(process.argv[1] ?? '')}`;
    if (existsSync(join(folder, broken))) throw new Error('the test broke this thread');
  }, lookEveryMs).unref();
}
