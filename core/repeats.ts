// Which of many like events are said, so that a sender of a million of them fills no log: the first of a kind, then one a minute, which says
// how many were passed over. Unaware of what is said, and of the clock.
import type { Micros } from './units.ts';

const quiet: Micros = 60_000_000;
/** Kinds that are told apart; what comes beyond is one kind. */
const mostKinds = 1_000;
const others = '…';

export class Repeats {
  readonly #kinds = new Map<string, { saidAt: Micros; passed: number }>();

  /** Whether an event of this kind is said now, and how many were passed over since one was; null: it is passed over. */
  next(kind: string, now: Micros): { passed: number } | null {
    const name = this.#kinds.has(kind) || this.#kinds.size < mostKinds ? kind : others;
    const last = this.#kinds.get(name);
    // A clock that was set back does not silence anything.
    if (last !== undefined && now >= last.saidAt && now - last.saidAt < quiet) {
      last.passed += 1;
      return null;
    }
    this.#kinds.set(name, { saidAt: now, passed: 0 });
    return { passed: last?.passed ?? 0 };
  }
}
