// The sleep of the machine's clock: it ends in time or at an abort, and leaves nothing behind.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'vitest';
import { monotonicMs, sleep } from '../../../platform/process/clock.ts';

it('sleeps for as long as was asked, and never for less than nothing', async () => {
  const began = monotonicMs();
  await sleep(20);
  assert.ok(monotonicMs() - began >= 19);
  await sleep(-5);
});

it('ends at an abort, and listens for it no longer than it sleeps', async () => {
  const over = new AbortController();
  await sleep(1, over.signal);
  assert.equal(getEventListeners(over.signal, 'abort').length, 0);
  const sleeping = sleep(1_000_000, over.signal);
  assert.equal(getEventListeners(over.signal, 'abort').length, 1);
  over.abort();
  await sleeping;
  assert.equal(getEventListeners(over.signal, 'abort').length, 0);
  await sleep(1_000_000, over.signal);
});
