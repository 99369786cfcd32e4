// The rounds of the collector: a step that fails is reported and repeated in the next round, and the other steps still run.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';
import { collectSuperseded, startCollector } from '../../../projectors/jobs/collector.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';

it('goes on with the other steps of a round when one of them fails', async () => {
  const taken = { superseded: 0, orphans: 0, pushes: 0, revisions: 0, letters: 0, boards: 0, use: 0 };
  const warnings: unknown[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (_: string, fields?: object) => void warnings.push(fields) };
  const done = Promise.withResolvers<void>();
  const meter = openMetrics({ ofProcess: false });
  let rounds = 0;
  const stop = startCollector({
    pushes: {
      async expire() {
        taken.pushes += 1;
      },
    },
    feedUse: {
      async expire() {
        taken.use += 1;
      },
    },
    msf: {
      async forgetRevisions() {
        taken.revisions += 1;
        return 0;
      },
    },
    letters: {
      async forget({ before, bytes }) {
        assert.deepEqual([before, bytes], [1e15 - 7 * 24 * 3_600e6, 5]);
        taken.letters += 1;
        return 3;
      },
    },
    lettersKept: { days: 7, bytes: 5 },
    catalog: {
      async collectable() {
        taken.superseded += 1;
        throw new Error('planned');
      },
      async releaseSettledBoards() {
        taken.boards += 1;
        return 0;
      },
      forgetObjects: async () => {},
      async knownObjects() {
        taken.orphans += 1;
        return new Set();
      },
    },
    live: { now: async () => 1e15 },
    objects: await storeWithAnOrphan(),
    clock: {
      now: () => 0,
      async sleep(_ms, signal) {
        rounds += 1;
        if (rounds <= 10) return;
        done.resolve();
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      },
    },
    crash: () => {},
    ...{ log, meter },
  });
  await done.promise;
  await stop();
  assert.deepEqual(taken, { superseded: 10, orphans: 1, pushes: 1, revisions: 1, letters: 1, boards: 1, use: 1 });
  const failed = { step: 'superseded', outage: false, error: 'planned' };
  assert.deepEqual(warnings, [...Array(9).fill(failed), { letters: 3, days: 7, bytes: 5 }, failed]);
  assert.match(await metricsText([await meter.snapshot()]), /^sds_dead_letters_dropped_total 3$/m);
});

async function storeWithAnOrphan() {
  const store = openMemoryStore(() => 0);
  await store.put('flushes/orphan', new Uint8Array(1));
  return store;
}

it('ends its round where it is stopped: in a listing, between batches, before the next step', async () => {
  const listed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const after: string[] = [];
  const noted = (what: string) => async (): Promise<never> => {
    after.push(what);
    throw new Error(what);
  };
  let collectable = 0;
  const store = openMemoryStore(() => 0);
  const stop = startCollector({
    pushes: { expire: noted('pushes') },
    feedUse: { expire: noted('use') },
    msf: { forgetRevisions: noted('revisions') },
    letters: { forget: noted('letters') },
    lettersKept: { days: 7, bytes: 5 },
    catalog: {
      async collectable() {
        collectable += 1;
        return [];
      },
      releaseSettledBoards: noted('boards'),
      forgetObjects: noted('forget'),
      knownObjects: noted('known'),
    },
    live: { now: async () => 1e15 },
    objects: Object.assign(store, {
      async *list(folder: string) {
        listed.resolve();
        await goOn.promise;
        for (let at = 0; ; at += 1) yield { key: `${folder}${at}` as ObjectKey, size: 1, modifiedAt: 0 };
      },
    }),
    clock: { now: () => 0, sleep: async () => {} },
    crash: () => {},
    log: silentLog,
  });
  await listed.promise;
  const stopped = stop();
  goOn.resolve();
  await stopped;
  assert.deepEqual([collectable, after], [1, []]);

  const round = new AbortController();
  const deleted: string[] = [];
  const collected = await collectSuperseded(
    {
      catalog: {
        collectable: async () => ['flushes/a' as ObjectKey],
        releaseSettledBoards: noted('boards'),
        forgetObjects: async (keys) => {
          deleted.push(...keys);
          round.abort();
        },
        knownObjects: noted('known'),
      },
      live: { now: async () => 1e15 },
      objects: openMemoryStore(() => 0),
      crash: () => {},
    },
    0,
    round.signal,
  );
  assert.deepEqual([collected, deleted], [1, ['flushes/a']]);
});
