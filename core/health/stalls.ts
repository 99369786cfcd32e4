// Which checkpoints stand still while their log grows: pushes are not becoming visible, whatever the cause. Found by repeated checks,
// because the age of a checkpoint means nothing in a log without new records.
import { type Micros, microsPerSecond } from '../units.ts';

/** How far a stream is folded, and the next offset to be written to its log. */
export type Progress = { stream: string; nextOffset: number; end: number };

export type Stall = { stream: string; since: Micros; behind: number };

/** A commit takes less, even of a large image. */
const patience: Micros = 6 * microsPerSecond;

/** Fewer unfolded offsets are no lag: one may be a transaction's control record, which is never folded. */
export const leastBehind = 2;

type Seen = { nextOffset: number; end: number; grewAt: Micros | null };

export class Stalls {
  #seen: ReadonlyMap<string, Seen> = new Map();

  /**
   * The streams that are behind and have not moved for `patience` although their log has grown. Streams absent from `progress` are
   * forgotten.
   */
  look(progress: readonly Progress[], now: Micros): readonly Stall[] {
    const seen = new Map<string, Seen>();
    const stalls: Stall[] = [];
    for (const { stream, nextOffset, end } of progress) {
      const before = this.#seen.get(stream);
      const behind = end - nextOffset;
      if (before === undefined || before.nextOffset !== nextOffset || behind < leastBehind) {
        seen.set(stream, { nextOffset, end, grewAt: null });
        continue;
      }
      const grewAt = before.grewAt ?? (end > before.end ? now : null);
      seen.set(stream, { ...before, grewAt });
      if (grewAt !== null && now - grewAt >= patience) stalls.push({ stream, since: grewAt, behind });
    }
    this.#seen = seen;
    return stalls;
  }
}
