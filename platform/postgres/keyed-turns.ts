// Runs work one at a time in this process, in turns between keys: a key with much work delays itself, not the others.
import { KeyedQueue } from '../../core/keyed-queue.ts';

/** Runs the work when no other work runs, of any key. Rejects as the work does. */
export type KeyedTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function openKeyedTurns(): KeyedTurns {
  const waiting = new KeyedQueue<() => Promise<void>>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (let next = waiting.take(); next !== null; next = waiting.take()) await next.item();
    running = false;
  }

  return <T>(key: string, work: () => Promise<T>) => {
    const done = Promise.withResolvers<T>();
    // Work that throws synchronously rejects as well, so that the queue continues.
    waiting.add(key, () => (async () => work())().then(done.resolve, done.reject));
    if (!running) void run();
    return done.promise;
  };
}
