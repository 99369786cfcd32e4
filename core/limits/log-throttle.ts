// Limits repeated log lines, so that a million similar events do not flood the log: logs the first of a kind, then one per minute with the
// number skipped. Independent of the messages and the clock.
import type { Micros } from '../units.ts';

const quiet: Micros = 60_000_000;
/** Most kinds counted separately; further kinds share one count. */
const mostKinds = 1_000;
const others = '…';

export class LogThrottle {
  readonly #kinds = new Map<string, { loggedAt: Micros; skipped: number }>();

  /** Whether to log an event of this kind now, and how many were skipped since the last; null: skip it. */
  next(kind: string, now: Micros): { skipped: number } | null {
    const name = this.#kinds.has(kind) || this.#kinds.size < mostKinds ? kind : others;
    const last = this.#kinds.get(name);
    // A clock that was set back must not silence the log.
    if (last !== undefined && now >= last.loggedAt && now - last.loggedAt < quiet) {
      last.skipped += 1;
      return null;
    }
    this.#kinds.set(name, { loggedAt: now, skipped: 0 });
    return { skipped: last?.skipped ?? 0 };
  }
}
