// Work that is done one after the other in this process, in turns between those whose it is: one that brings much waits behind itself.
import { KeyedQueue } from '../../core/keyed-queue.ts';

/** Does the work when no other is under way, whatever its key. Rejects as the work does. */
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
    // What throws before it begins rejects as well: the others go on behind it.
    waiting.add(key, () => (async () => work())().then(done.resolve, done.reject));
    if (!running) void run();
    return done.promise;
  };
}
