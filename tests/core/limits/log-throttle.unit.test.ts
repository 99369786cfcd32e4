// Repeated log lines are limited: one line per minute and kind, with the number skipped, however many kinds there are.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { LogThrottle } from '../../../core/limits/log-throttle.ts';

const second = 1_000_000;

it('logs the first of a kind, and a minute later how many it skipped', () => {
  const throttle = new LogThrottle();
  assert.deepEqual(throttle.next('a', 0), { skipped: 0 });
  assert.deepEqual(throttle.next('b', 0), { skipped: 0 });
  for (let at = 1; at < 60; at += 1) assert.equal(throttle.next('a', at * second), null);
  assert.deepEqual(throttle.next('a', 60 * second), { skipped: 59 });
  assert.equal(throttle.next('a', 61 * second), null);
  assert.deepEqual(throttle.next('b', 61 * second), { skipped: 0 });
});

it('still logs after the clock is set back', () => {
  const throttle = new LogThrottle();
  throttle.next('a', 3_600 * second);
  assert.deepEqual(throttle.next('a', 0), { skipped: 0 });
});

it('logs no more lines for many kinds than for a thousand', () => {
  const throttle = new LogThrottle();
  let logged = 0;
  for (let kind = 0; kind < 20_000; kind += 1) if (throttle.next(`kind ${kind}`, kind) !== null) logged += 1;
  assert.equal(logged, 1_001);
});
