// Pushes with many refusals cause thousands of dead letters, and no reader waits for these. So statements with many of them run one at a
// time, alternating between sources, and after each the database rests for seven times as long as it took: dead letters then use an eighth
// of one connection's time. Statements with few run at once.
import type { DeadLetter, DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { openLane } from './body-scheduler.ts';

const few = 100;
const rests = 7;
/** A statement that took longer waited for something else. */
const longestRest: Millis = 500;

type Kept = { deadLetters: Pick<DeadLettersCatalog, 'store'>; pushes: PushCatalog };

/** Wraps the catalogs that the gateway uses. */
export function throttledDeadLetters({ deadLetters, pushes }: Kept, clock: Pick<Clock, 'now' | 'sleep'>): Kept {
  const lane = openLane();

  function inTurn(batch: readonly DeadLetter[], source: string, store: () => Promise<void>): Promise<void> {
    if (batch.length <= few) return store();
    const stored = Promise.withResolvers<void>();
    void lane(source, async () => {
      const began = clock.now();
      await store().then(stored.resolve, stored.reject);
      await clock.sleep(Math.min((rests * (clock.now() - began)) / 1_000, longestRest));
    });
    return stored.promise;
  }

  return {
    deadLetters: {
      store: (batch) => inTurn(batch, batch[0]?.source ?? '', () => deadLetters.store(batch)),
    },
    pushes: {
      ...pushes,
      acknowledge: (entry, key, batch) => inTurn(batch, entry.source, () => pushes.acknowledge(entry, key, batch)),
    },
  };
}
