// A disk store whose puts are done by a thread of their own. A put is eight calls of the file system, one after the other, and after each
// of them it would wait until the event loop of this thread is free: beside a flood, that is most of the time of a flush.
import { Worker } from 'node:worker_threads';
import { ObjectConflict, type ObjectStore } from '../../core/ports/object-store.ts';
import { openDiskStore } from './disk.ts';
import type { AskedPut, EndedPut } from './put-thread.ts';

type Put = { key: string; bytes: Uint8Array; done: PromiseWithResolvers<void> };

/**
 * Like `openDiskStore`. Calls `fail` if the thread of puts fails, which is a defect: the process has to end. Until it does, the calling
 * thread puts what is left.
 */
export async function openThreadedDiskStore(root: string, fail: (error: Error) => void): Promise<ObjectStore> {
  const store = await openDiskStore(root);
  const thread = new Worker(new URL('put-thread.ts', import.meta.url), { workerData: root });
  const puts = new Map<number, Put>();
  let count = 0;
  let hasFailed = false;
  thread.on('message', (ended: EndedPut) => {
    const { key, done } = puts.get(ended.id) as Put;
    puts.delete(ended.id);
    if (ended.kind === 'durable') done.resolve();
    else if (ended.kind === 'conflict') done.reject(new ObjectConflict(key));
    else done.reject(ended.error);
  });
  thread.on('error', (error: Error) => {
    hasFailed = true;
    fail(error);
    for (const { key, bytes, done } of puts.values()) store.put(key, bytes).then(done.resolve, done.reject);
    puts.clear();
  });
  return {
    ...store,
    put(key, bytes) {
      if (hasFailed) return store.put(key, bytes);
      count += 1;
      const done = Promise.withResolvers<void>();
      puts.set(count, { key, bytes, done });
      // A copy of these bytes alone: they may be a part of a larger buffer, and they stay in use here.
      const copy = new Uint8Array(bytes);
      thread.postMessage({ id: count, key, bytes: copy } satisfies AskedPut, [copy.buffer]);
      return done.promise;
    },
    async close() {
      await Promise.allSettled(Array.from(puts.values(), ({ done }) => done.promise));
      await thread.terminate();
      await store.close();
    },
  };
}
