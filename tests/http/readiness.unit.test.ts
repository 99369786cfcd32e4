// What a listener depends on is asked in the background: what hangs is missing after a while, what comes back is there at the next look, and
// a defect is logged and never thrown.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openReadiness } from '../../http/readiness.ts';
import { openManualClock } from '../support/fakes/manual-clock.ts';

class Away extends Error {}

/** Lets everything run that is due. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function looking(asks: Record<'catalog' | 'log', () => Promise<boolean>>) {
  const clock = openManualClock(0);
  const changes: string[] = [];
  const defects: string[] = [];
  const readiness = openReadiness({
    asks,
    isOutage: (error) => error instanceof Away,
    everyMs: 1_000,
    patienceMs: 300,
    changed: (missing) => changes.push(missing.join()),
    clock,
    log: { error: (_what, more = {}) => defects.push(String(more.dependency)) },
  });
  return { clock, changes, defects, readiness };
}

it('is missing what hangs, what rejects and what says no, and says each change once', async () => {
  let answer = (): Promise<boolean> => new Promise(() => {});
  const { clock, changes, defects, readiness } = looking({ catalog: () => answer(), log: async () => true });
  const started = readiness.start();
  clock.advance(300);
  await started;
  assert.deepEqual(readiness.missing(), ['catalog']);
  for (const next of [() => Promise.reject(new Away()), async () => false, async () => true, async () => true]) {
    answer = next;
    clock.advance(1_000);
    await settle();
  }
  assert.deepEqual([readiness.missing(), changes, defects], [[], ['catalog', ''], []]);
  readiness.stop();
});

it('logs a defect of what it asks, and goes on looking', async () => {
  let asked = 0;
  const { clock, defects, readiness } = looking({
    catalog: async () => true,
    async log() {
      asked += 1;
      if (asked === 1) throw new TypeError('a defect');
      return true;
    },
  });
  await readiness.start();
  assert.deepEqual([readiness.missing(), defects], [['log'], ['log']]);
  clock.advance(1_000);
  await settle();
  assert.deepEqual([readiness.missing(), asked], [[], 2]);
  readiness.stop();
  clock.advance(5_000);
  await settle();
  assert.equal(asked, 2, 'it has stopped');
});
