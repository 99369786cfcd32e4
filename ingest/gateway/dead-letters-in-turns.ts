// Many dead letters are a statement of a tenth of a second, and the process has few connections: pushes that are refused at length would hold all
// of them. So such statements go one after the other, in turns between the sources; those with a few dead letters wait for nothing.
import type { DeadLetter, DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import { openLane } from './turns.ts';

const few = 100;

type Kept = { deadLetters: Pick<DeadLettersCatalog, 'store'>; pushes: PushCatalog };

/** The catalogs as the gateway uses them. */
export function deadLettersInTurns({ deadLetters, pushes }: Kept): Kept {
  const lane = openLane();
  const inTurn = (batch: readonly DeadLetter[], source: string, store: () => Promise<void>): Promise<void> =>
    batch.length <= few ? store() : lane(source, store);
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
