// Pushes that are refused at length have thousands of dead letters, and no reader waits for these. So statements with many go one after the
// other, in turns between the sources, and the database rests for seven times as long as one took: dead letters take an eighth of one
// connection's time. Those with a few wait for nothing.
import type { DeadLetter, DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';
import { openLane } from './turns.ts';

const few = 100;
const rests = 7;
/** A statement that took longer waited for something else. */
const longestRest: Millis = 500;

type Kept = { deadLetters: Pick<DeadLettersCatalog, 'store'>; pushes: PushCatalog };

/** The catalogs as the gateway uses them. */
export function deadLettersInTurns({ deadLetters, pushes }: Kept, clock: Pick<Clock, 'now' | 'sleep'>): Kept {
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
