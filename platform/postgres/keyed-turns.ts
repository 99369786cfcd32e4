// Runs work one at a time in this process, in turns between keys: a key with much work delays itself, not the others.
import { KeyedLane } from '../../core/keyed-lane.ts';

/** Runs the work when no other work runs, of any key. Rejects as the work does. */
type KeyedTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function openKeyedTurns(): KeyedTurns {
  const lane = new KeyedLane();
  return <T>(key: string, work: () => Promise<T>) => {
    const done = Promise.withResolvers<T>();
    lane.enter(key, (leave) => {
      // Work that throws synchronously rejects as well, so that the lane goes on behind it.
      void (async () => work())().then(done.resolve, done.reject).finally(leave);
    });
    return done.promise;
  };
}
