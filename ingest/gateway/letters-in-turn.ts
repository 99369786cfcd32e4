// Many dead letters are a statement of a tenth of a second, and the process has few connections: pushes that are refused at length would hold all
// of them. So such statements go one after the other, in turns between the sources; those with a few letters wait for nothing.
import type { DeadLetter, DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import { openLane } from './turns.ts';

const few = 100;

type Kept = { deadLetters: Pick<DeadLettersCatalog, 'store'>; pushes: PushCatalog };

/** The catalogs as the gateway uses them. */
export function lettersInTurn({ deadLetters, pushes }: Kept): Kept {
  const lane = openLane();
  const inTurn = (letters: readonly DeadLetter[], source: string, keep: () => Promise<void>): Promise<void> =>
    letters.length <= few ? keep() : lane(source, keep);
  return {
    deadLetters: {
      store: (letters) => inTurn(letters, letters[0]?.source ?? '', () => deadLetters.store(letters)),
    },
    pushes: {
      ...pushes,
      acknowledge: (entry, key, letters) =>
        inTurn(letters, entry.source, () => pushes.acknowledge(entry, key, letters)),
    },
  };
}
