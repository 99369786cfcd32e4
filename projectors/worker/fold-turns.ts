// Turns at folding. A process may have many partitions in its hands, each of which pauses between two runs of records: were their pauses to end
// together, all of them would fold before anybody else had a turn. So one of them folds one run, and then comes what else the process does.
import type { Clock } from '../../core/ports/clock.ts';

/** Folds a run when its turn has come; `begins`: nothing was folded just before. Rejects with what `fold` throws. */
export type FoldTurns = (fold: () => void, begins: boolean) => Promise<void>;

/** Turns in the order in which they are asked for, with a pause between two of them. */
export function openFoldTurns(clock: Pick<Clock, 'sleep'>): FoldTurns {
  let last: Promise<void> = Promise.resolve();
  let taken = 0;
  return (fold, begins) => {
    const isFree = begins && taken === 0;
    taken += 1;
    const turn = last.then(async () => {
      try {
        if (!isFree) await clock.sleep(0);
        fold();
      } finally {
        taken -= 1;
      }
    });
    last = turn.catch(() => {});
    return turn;
  };
}
