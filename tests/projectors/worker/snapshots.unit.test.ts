// A snapshot of a partition's state can be saved and loaded, and the rest of the process runs while a large one is compressed.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { ObjectDamaged } from '../../../core/ports/object-store.ts';
import { runToEnd, type Task } from '../../../core/scheduling/task.ts';
import { openNewest, putSnapshot } from '../../../projectors/worker/snapshots.ts';
import type { RunTask } from '../../../projectors/worker/time-slices.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';

describe('a snapshot', () => {
  it('is what was put, and the process goes on while it is compressed', async () => {
    const saved = { rows: Array.from({ length: 50_000 }, (_, at) => `${at} ${at * 7919}`) };
    const store = openMemoryStore(() => 0);
    let [passes, passesBeforePut, done] = [0, 0, false];
    const looking = (async () => {
      for (; !done; passes += 1) await pass();
    })();
    const put = async (key: string, bytes: Uint8Array): Promise<void> => {
      passesBeforePut = passes;
      await store.put(key, bytes);
    };
    const saving = (function* (): Task<unknown> {
      yield;
      return saved;
    })();
    const runTask: RunTask = async (task) => runToEnd(task);
    const { key } = await putSnapshot({ objects: { put }, runTask }, 'states/one', saving);
    done = true;
    await looking;
    assert.ok(passesBeforePut > 0);
    const { state } = await openNewest(store, { key, offset: 1, older: [] }, (loaded) => loaded, assert.fail);
    assert.deepEqual(state, saved);
  });

  it('is passed over where the store says that it is damaged, and is waited for where it says nothing', async () => {
    const passed: string[] = [];
    const load = (error: Error) =>
      openNewest(
        { get: () => Promise.reject(error) },
        { key: 'states/one', offset: 1, older: [] },
        (loaded) => loaded,
        (key, reason) => passed.push(`${key} ${reason}`),
      );
    const { state, kept, unusable } = await load(new ObjectDamaged('states/one'));
    assert.deepEqual([state, kept, unusable], [null, [], [{ key: 'states/one', offset: 1 }]]);
    assert.deepEqual(passed, ['states/one is damaged']);
    await assert.rejects(load(new Error('away')), { message: 'away' });
  });
});
