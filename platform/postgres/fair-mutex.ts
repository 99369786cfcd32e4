// A mutex of this process that alternates between keys: a key with much work delays itself, not the others.
import { KeyedLane } from '../../core/scheduling/keyed-lane.ts';

/** Runs the work when no other work runs, under any key. Rejects as the work does. */
type FairMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function openFairMutex(): FairMutex {
  const lane = new KeyedLane();
  return <T>(key: string, work: () => Promise<T>) => {
    const done = Promise.withResolvers<T>();
    lane.enter(key, (leave) => {
      // Wrapped, so that work that throws synchronously rejects as well and the lane continues.
      void (async () => work())().then(done.resolve, done.reject).finally(leave);
    });
    return done.promise;
  };
}
