// How the poller keeps its lease, by a clock that the test moves.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { startPoller } from '../../../ingest/poller/poller.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const second = 1_000;

it('renews its lease every second, also while a wall clock that was set back catches up', async () => {
  const clock = openManualClock(Date.UTC(2026, 0, 9) * 1_000);
  const began = clock.elapsed();
  const held: number[] = [];
  const stop = startPoller({
    clock,
    log: silentLog,
    ownKey: true,
    live: { gamesWithoutTicks: async () => [] },
    broker: { produce: async () => assert.fail('no game is followed') },
    accept: async () => assert.fail('the source answers nothing'),
    source: { ask: async () => ({ kind: 'none', detail: 'away' }), close() {} },
    leases: {
      async hold() {
        held.push((clock.elapsed() - began) / 1_000_000);
        return true;
      },
      async release() {},
    },
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 1) {
      await setImmediate();
      clock.advance(second);
      await setImmediate();
    }
  };
  await pass(3);
  clock.setBack(600 * second);
  await pass(7);
  await stop();
  assert.deepEqual(
    held,
    Array.from({ length: 11 }, (_, at) => at),
  );
});
