// Which checkpoints do not move while the log does: what is pushed is not becoming visible, whatever the cause. Found by looking again and
// again, because the age of a checkpoint says nothing of a log in which nothing happens.
import { type Micros, microsPerSecond } from '../units.ts';

/** How far a stream is, and the next offset to be written to its log. */
export type Progress = { stream: string; nextOffset: number; end: number };

export type Stall = { stream: string; since: Micros; behind: number };

/** A commit takes less, also behind a large image. */
const patience: Micros = 6 * microsPerSecond;

/** One offset behind may be the control record of a transaction, which is never folded. */
const least = 2;

type Seen = { nextOffset: number; end: number; grewAt: Micros | null };

export class Stalls {
  #seen: ReadonlyMap<string, Seen> = new Map();

  /** The streams that are behind and have not moved for a while, in which the log has grown. Streams that are left out are forgotten. */
  look(progress: readonly Progress[], now: Micros): readonly Stall[] {
    const seen = new Map<string, Seen>();
    const stalls: Stall[] = [];
    for (const { stream, nextOffset, end } of progress) {
      const before = this.#seen.get(stream);
      const behind = end - nextOffset;
      if (before === undefined || before.nextOffset !== nextOffset || behind < least) {
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
