// What every Clock promises (core/ports/clock.ts): the machine's, and the one that tests and replays move by hand.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Clock } from '../../../core/ports/clock.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const manual = openManualClock(1_786_000_000_000_000);

const clocks: readonly { name: string; clock: Clock; pass(ms: number): Promise<void> }[] = [
  { name: 'system', clock: systemClock, pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
  { name: 'manual', clock: manual, pass: async (ms) => manual.advance(ms) },
];

for (const { name, clock, pass } of clocks) {
  describe(`clock: ${name}`, () => {
    it('tells whole micros that do not go back', async () => {
      const first = clock.now();
      assert.ok(Number.isSafeInteger(first));
      await pass(5);
      const second = clock.now();
      assert.ok(second - first >= 4_000, `${second - first}`);
    });

    it('sleeps no shorter than asked, give or take the millisecond it counts in', async () => {
      const from = clock.now();
      const slept = clock.sleep(20);
      await pass(25);
      await slept;
      assert.ok(clock.now() - from >= 19_000);
    });

    it('wakes at once when the signal aborts, before or while it sleeps, without an error', async () => {
      const stop = new AbortController();
      const slept = clock.sleep(60_000, stop.signal);
      stop.abort();
      await slept;
      await clock.sleep(60_000, stop.signal);
      const from = clock.now();
      assert.ok(clock.now() - from < 1_000_000);
    });

    it('takes no time and no offence at zero and less', async () => {
      const slept = Promise.all([clock.sleep(0), clock.sleep(-5)]);
      await pass(1);
      await slept;
    });

    it('wakes sleepers in the order of their times', async () => {
      const woken: number[] = [];
      const all = Promise.all([30, 10, 20].map((ms) => clock.sleep(ms).then(() => woken.push(ms))));
      for (let passed = 0; passed < 8; passed += 1) await pass(5);
      await all;
      assert.deepEqual(woken, [10, 20, 30]);
    });
  });
}

describe('the manual clock', () => {
  it('does not move by itself, and wakes no sleeper early', async () => {
    const clock = openManualClock(1_000_000);
    let awake = false;
    void clock.sleep(10).then(() => {
      awake = true;
    });
    clock.advance(9);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(awake, false);
    assert.equal(clock.now(), 1_009_000);
    clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(awake, true);
  });
});

describe('the system clock', () => {
  it('is the wall clock', () => {
    assert.ok(Math.abs(systemClock.now() - Date.now() * 1_000) < 1_000_000);
  });
});
