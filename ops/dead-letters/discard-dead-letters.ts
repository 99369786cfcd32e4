// Discards open dead letters, oldest first, in short statements: an interrupted command has discarded some of them, and continues when it is run
// again.
import type { DeadLetterSelection, DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';

export type DiscardTools = {
  letters: Pick<DeadLettersCatalog, 'discard'>;
  /** Whether this is still the command that may: see letters-lease.ts. */
  holds(): Promise<boolean>;
  interrupted: AbortSignal;
};

export type DiscardedDeadLetters = { kind: 'done' | 'interrupted' | 'held-by-another'; discarded: number };

/** In one statement: short, whatever else the database does. */
const atOnce = 5_000;

/** Discards at most `open` letters: those that arise meanwhile may stay. */
export async function discardDeadLetters(
  { letters, holds, interrupted }: DiscardTools,
  of: DeadLetterSelection,
  open: number,
  onProgress: (done: number) => void,
): Promise<DiscardedDeadLetters> {
  let discarded = 0;
  while (discarded < open) {
    if (interrupted.aborted) return { kind: 'interrupted', discarded };
    if (!(await holds())) return { kind: 'held-by-another', discarded };
    const step = await letters.discard(of, Math.min(atOnce, open - discarded));
    if (step === 0) break;
    discarded += step;
    onProgress(discarded);
  }
  return { kind: 'done', discarded };
}
