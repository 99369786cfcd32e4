// The rounds of the settlement worker: it looks for games again whatever went wrong in a round, and at the evidence of all games now and then
// alone, because that takes the database its time.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Reach } from '../core/ports/catalog/settlement.ts';
import { noCrashPoints } from '../core/ports/crash-points.ts';
import { silentLog } from '../core/ports/telemetry.ts';
import { parquetWriter } from '../platform/parquet/writer.ts';
import type { SettlementTools } from '../projectors/settlement/settlement-tools.ts';
import { startSettlement } from '../projectors/settlement/settlement-worker.ts';
import { openManualClock } from './support/manual-clock.ts';

const second = 1_000;

/** A worker of whose ports only the search for games does anything. */
function openWorker(due: (reach: Reach) => Promise<readonly string[]>) {
  const clock = openManualClock(0);
  const unasked = async (): Promise<never> => assert.fail('nothing is to be built');
  const tools: SettlementTools = {
    settlements: { due: (_after, _limit, reach) => due(reach), inputs: unasked, players: unasked, land: unasked },
    artifacts: { served: unasked },
    live: { servedLog: unasked },
    msf: { stream: unasked, revisions: unasked },
    history: { archives: unasked },
    leases: { hold: unasked, release: unasked },
    objects: { put: unasked, get: unasked },
    parquet: parquetWriter,
    clock,
    crash: noCrashPoints,
    log: silentLog,
    newAttempt: () => 'attempt',
  };
  const stop = startSettlement(tools);
  return {
    stop,
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 1) {
        await setImmediate();
        clock.advance(second);
        await setImmediate();
      }
    },
  };
}

it('looks at all games at first and every 20 s, at the recent ones every second', async () => {
  const asked: Reach[] = [];
  const { pass, stop } = openWorker(async (reach) => {
    asked.push(reach);
    return [];
  });
  await pass(41);
  await stop();
  assert.equal(asked.length, 42);
  assert.deepEqual(
    asked.flatMap((reach, round) => (reach === 'all' ? [round] : [])),
    [0, 20, 40],
  );
});

it('goes on after a defect, and looks at all games again that it could not look at', async () => {
  const asked: Reach[] = [];
  const { pass, stop } = openWorker(async (reach) => {
    asked.push(reach);
    if (asked.length <= 2) throw new TypeError('a defect');
    return [];
  });
  await pass(3);
  await stop();
  assert.deepEqual(asked, ['all', 'all', 'all', 'recent']);
});
