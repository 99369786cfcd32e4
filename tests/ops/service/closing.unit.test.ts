// Claim: a process that is asked to stop waits for nothing without a limit, not even for its own start, and says what it gave up.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { startUntilStopped } from '../../../ops/service/closing.ts';

const never = new Promise<never>(() => {});

function warnings() {
  const warned: unknown[] = [];
  const log: Log = { ...silentLog, warn: (message, fields) => void warned.push([message, fields?.what]) };
  return { warned, log };
}

it('a start that waits for what is away is given up once a stop is asked for', async () => {
  const { warned, log } = warnings();
  await startUntilStopped(never, Promise.resolve('SIGTERM'), 1, log);
  assert.deepEqual(warned, [['abandoned while stopping: it does not answer', 'the start']]);
});

it('a start that ends, or fails, is waited for', async () => {
  const { warned, log } = warnings();
  await startUntilStopped(Promise.resolve(), never, 1, log);
  await startUntilStopped(Promise.resolve(), Promise.resolve('SIGTERM'), 60_000, log);
  await assert.rejects(startUntilStopped(Promise.reject(new Error('no log')), never, 1, log), /no log/);
  assert.deepEqual(warned, []);
});
