// The history that a key may read, by the catalog's clock. That clock is read rarely, and the host's clock only measures the time since, so
// that a window costs no query and outlasts an outage, and a wrong host clock does no harm.
import { type HistoryWindow, historyWindow } from '../../core/access/history-window.ts';
import { tierTerms } from '../../core/limits/tier-limits.ts';
import type { CalendarCatalog, CatalogCalendar } from '../../core/ports/catalog/calendar.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { easternDate } from '../../core/time/eastern-date.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';

export type HistoryWindows = {
  /** Synchronous if memory suffices. @throws Unavailable when the catalog's time was never read */
  window(tier: Tier): HistoryWindow | Promise<HistoryWindow>;
  /** The catalog's time. Synchronous if memory suffices. @throws Unavailable */
  now(): Micros | Promise<Micros>;
};

const freshFor: Micros = 30 * microsPerSecond;
const retryAfter: Micros = microsPerSecond;

export function openHistory(options: {
  calendar: CalendarCatalog;
  deadlines: Deadlines;
  clock: Clock;
  /** The configured month of the DEMO tier. */
  demoMonth: string | null;
}): HistoryWindows {
  const { calendar, deadlines, clock, demoMonth } = options;
  let known: { calendar: CatalogCalendar; askedAt: Micros; askAgainAt: Micros } | null = null;
  let asking: Promise<CatalogCalendar> | null = null;

  function ask(): Promise<CatalogCalendar> {
    asking ??= deadlines
      .catalog(() => calendar.calendar())
      .then((found) => {
        const now = clock.now();
        known = { calendar: found, askedAt: now, askAgainAt: now + freshFor };
        return found;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  }

  function windowOf(tier: Tier, { now, newestSettledMonth }: CatalogCalendar, passed: Micros): HistoryWindow {
    return historyWindow(tier, { today: easternDate(now + passed), demoMonth: demoMonth ?? newestSettledMonth });
  }

  /** The result of `answer` for the calendar and its age. */
  function fromCalendar<Answer>(answer: (found: CatalogCalendar, passed: Micros) => Answer): Answer | Promise<Answer> {
    const now = clock.now();
    // If the clock was set back, the time since is unknown.
    if (known === null || now < known.askedAt) return ask().then((found) => answer(found, 0));
    if (now >= known.askAgainAt) {
      known.askAgainAt = now + retryAfter;
      ask().catch(() => {});
    }
    return answer(known.calendar, now - known.askedAt);
  }

  return {
    window(tier) {
      const { history } = tierTerms[tier];
      if (history === 'all') return { kind: 'all' };
      if (history === 'month' && demoMonth !== null) return { kind: 'month', month: demoMonth };
      return fromCalendar((found, passed) => windowOf(tier, found, passed));
    },
    now: () => fromCalendar(({ now }, passed) => now + passed),
  };
}
