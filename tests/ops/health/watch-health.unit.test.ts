// The watch of health (docs/operations.md#health): what a process finds itself shows at once, whatever the exchange of reports with the other
// processes does, and a database that accepts statements and answers none hides nothing.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { it } from 'vitest';
import type { HealthReport } from '../../../core/health/reason.ts';
import { watchHealth } from '../../../ops/health/watch-health.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const second = 1_000_000;
const start = Date.UTC(2026, 7, 5, 20) * 1_000;
const ofOther: HealthReport = { roles: 'ingest', reasons: [{ name: 'log', since: start, detail: 'd' }] };

/** A watch whose statements are answered at once, or, while it is frozen, end without an answer after twelve seconds. */
function stage() {
  const clock = openManualClock(start);
  const state = { frozen: 'nothing' as 'nothing' | 'reports' | 'all', parts: [] as string[] };
  const answer = async <T>(value: T, isFrozen: boolean): Promise<T> => {
    if (!isFrozen) return value;
    await clock.sleep(12_000);
    throw new Error('Query read timeout');
  };
  const ask = <T>(value: T) => answer(value, state.frozen === 'all');
  const exchange = <T>(value: T) => answer(value, state.frozen !== 'nothing');
  const silent = () => {};
  const watched = watchHealth({
    operations: {
      newestTick: () => ask({ at: clock.now(), age: 0 }),
      outbox: () => ask({ records: 0, age: 0 }),
      streams: () => ask([]),
    },
    live: { now: () => ask(clock.now()) },
    ...{ objects: null, broker: null, clock, roles: ['projectors'], reports: true },
    health: {
      report: () => exchange(undefined),
      reports: () => exchange([ofOther]),
      withdraw: async () => {},
    },
    degraded: () => state.parts,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const names = () => watched.reasons().map(({ name }) => name);
  /** Moves the clock until these are the reasons, and returns how long that took. */
  async function until(...wanted: string[]): Promise<number> {
    const began = clock.now();
    for (; clock.now() < began + 60 * second; clock.advance(100)) {
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      if (names().join() === wanted.join()) return clock.now() - began;
    }
    return assert.fail(`${names()}, not ${wanted}`);
  }
  /** Stops it, also in the middle of an exchange that hangs. */
  async function stop(): Promise<void> {
    const stopped = watched.stop();
    clock.advance(1_000);
    await stopped;
  }
  return { state, until, watched, stop };
}

it('tells of a database that hangs as soon as it has waited for it, and of the others again once it answers', async () => {
  const { state, until, stop } = stage();
  await until('log');
  state.frozen = 'all';
  const took = await until('catalog', 'log');
  assert.ok(took <= 5 * second, `${took} µs`);
  await until('catalog');
  state.frozen = 'nothing';
  await until('log');
  await stop();
});

it('goes on looking while its report hangs', async () => {
  const { state, until, watched, stop } = stage();
  await until('log');
  state.frozen = 'reports';
  for (const parts of [['ratelimit'], [], ['ratelimit']]) {
    state.parts = parts;
    const took = await until(...parts);
    assert.ok(took <= 8 * second, `${took} µs`);
  }
  assert.deepEqual([...watched.lookers()], ['projectors']);
  await stop();
});
