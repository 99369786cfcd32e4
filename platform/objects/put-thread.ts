// The program of a thread that puts objects into a disk store, as `openThreadedDiskStore` asks.
import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { ObjectConflict } from '../../core/ports/object-store.ts';
import { openDiskStore } from './disk.ts';

/** `id` is the caller's. */
export type AskedPut = { id: number; key: string; bytes: Uint8Array<ArrayBuffer> };
/** Between threads, only builtin errors keep their class, and none keeps its code. */
export type EndedPut = { id: number } & (
  | { kind: 'durable' }
  | { kind: 'conflict' }
  | { kind: 'failed'; error: unknown }
);

const owner = parentPort;
if (owner === null) throw new Error('this file is the program of a thread');
const store = await openDiskStore(workerData as string);

async function put({ id, key, bytes }: AskedPut): Promise<EndedPut> {
  try {
    await store.put(key, bytes);
    // Frees the copy now: this thread makes so little garbage that a collection is far away.
    bytes.buffer.transfer(0);
    return { id, kind: 'durable' };
  } catch (error) {
    return error instanceof ObjectConflict ? { id, kind: 'conflict' } : { id, kind: 'failed', error };
  }
}

owner.on('message', (asked: AskedPut) => void put(asked).then((ended) => owner.postMessage(ended)));
// Written now, so that a killed process still leaves its compiled code to the next start.
flushCompileCache();
