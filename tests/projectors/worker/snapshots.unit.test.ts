// A snapshot of a partition's state is a round trip, and while a large one is compressed everybody else of the process has a turn.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { Halted } from '../../../core/ports/broker.ts';
import { ObjectDamaged } from '../../../core/ports/object-store.ts';
import { loadSnapshot, putSnapshot } from '../../../projectors/worker/snapshots.ts';
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
    const { key } = await putSnapshot({ put }, 'states/one', saved);
    done = true;
    await looking;
    assert.ok(passesBeforePut > 0);
    assert.deepEqual(await loadSnapshot(store, { key, offset: 1 }, (loaded) => loaded), saved);
  });

  it('is damaged where the store says so, and is waited for where it says nothing', async () => {
    const load = (error: Error) =>
      loadSnapshot({ get: () => Promise.reject(error) }, { key: 'states/one', offset: 1 }, (loaded) => loaded);
    await assert.rejects(load(new ObjectDamaged('states/one')), (error) => {
      return error instanceof Halted && error.message === 'snapshot states/one is damaged';
    });
    await assert.rejects(load(new Error('away')), { message: 'away' });
  });
});
