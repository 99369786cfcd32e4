// Which history a key may read, at the time that the catalog's clock shows. That clock is asked seldom and our own tells only how long ago, so
// that a window costs no query and outlasts an outage, and a host whose clock shows the wrong time is none the worse.
import { type HistoryWindow, historyWindow } from '../../core/access/history.ts';
import { tierTerms } from '../../core/access/tiers.ts';
import type { CalendarCatalog, CatalogCalendar } from '../../core/ports/catalog/calendar.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { easternDate } from '../../core/time/eastern-date.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';

export type History = {
  /** At once where memory suffices. @throws Unavailable where the catalog's time was never known */
  window(tier: Tier): HistoryWindow | Promise<HistoryWindow>;
  /** What time it is there. At once where memory suffices. @throws Unavailable */
  now(): Micros | Promise<Micros>;
};

const freshFor: Micros = 30 * microsPerSecond;
const retryAfter: Micros = microsPerSecond;

export function openHistory(options: {
  calendar: CalendarCatalog;
  deadlines: Deadlines;
  clock: Clock;
  /** The DEMO tier's month as configured. */
  demoMonth: string | null;
}): History {
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

  /** What `say` makes of the calendar, and of how long ago it was that. */
  function told<Said>(say: (found: CatalogCalendar, passed: Micros) => Said): Said | Promise<Said> {
    const now = clock.now();
    // A clock that was set back says nothing of how much time has passed.
    if (known === null || now < known.askedAt) return ask().then((found) => say(found, 0));
    if (now >= known.askAgainAt) {
      known.askAgainAt = now + retryAfter;
      ask().catch(() => {});
    }
    return say(known.calendar, now - known.askedAt);
  }

  return {
    window(tier) {
      const { history } = tierTerms[tier];
      if (history === 'all') return { kind: 'all' };
      if (history === 'month' && demoMonth !== null) return { kind: 'month', month: demoMonth };
      return told((found, passed) => windowOf(tier, found, passed));
    },
    now: () => told(({ now }, passed) => now + passed),
  };
}
