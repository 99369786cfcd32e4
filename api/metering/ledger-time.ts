// The current month by the ledger's clock: its last answer, advanced by the time that has passed since. This host's wall clock decides
// nothing: however it is set, a month neither lasts longer nor starts again (docs/metering.md#ledger-outage).
import { monthAfter } from '../../core/metering/month.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Month } from '../../core/ports/ledger.ts';
import type { Micros } from '../../core/units.ts';

/** An instant of this process's clocks. */
type Instant = { wall: Micros; elapsed: Micros | null };

export class LedgerTime {
  readonly #clock: Clock;
  #last: { month: string; endsIn: Micros; at: Instant } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  instant(): Instant {
    return { wall: this.#clock.now(), elapsed: this.#clock.elapsed?.() ?? null };
  }

  /** The ledger's answer to a call made at `askedAt`; the month lasts at least `endsIn` from then. */
  learn({ month, endsIn }: Month, askedAt: Instant): void {
    if (this.#last !== null && month < this.#last.month) return;
    this.#last = { month, endsIn, at: askedAt };
  }

  /** `YYYY-MM`; null until the ledger has answered once. */
  month(): string | null {
    if (this.#last === null) return null;
    const { month, endsIn, at } = this.#last;
    const passed = this.#since(at);
    return passed < endsIn ? month : monthAfter(month, endsIn, passed).month;
  }

  /** The longer time of the two clocks: the wall clock may have been set back, and the other may have stopped while the machine slept. */
  #since(at: Instant): Micros {
    const now = this.instant();
    const byElapsed = now.elapsed === null || at.elapsed === null ? 0 : now.elapsed - at.elapsed;
    return Math.max(0, now.wall - at.wall, byElapsed);
  }
}
