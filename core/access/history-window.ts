// Which dates of games and revisions a tier may read (docs/interface.md#history-windows): the ONE place that decides it, for every route.
// Dates are Eastern calendar dates, `YYYY-MM-DD`, so they compare as texts. A request outside the window is refused, never clamped.
import { tierTerms } from '../limits/tier-limits.ts';
import type { Revision } from '../msf/types.ts';
import type { Tier } from '../ports/catalog/keys.ts';
import { easternDate } from '../time/eastern-date.ts';

export type HistoryWindow =
  | { kind: 'all' }
  /** One month, `YYYY-MM`; null: there is no month to show yet. */
  | { kind: 'month'; month: string | null }
  /** From this date on. */
  | { kind: 'since'; date: string };

/**
 * The window of a tier on `today`, the Eastern date by the catalog's clock. `demoMonth` is DEMO's fixed month: the configured one,
 * otherwise the newest past month with a settled game.
 */
export function historyWindow(tier: Tier, facts: { today: string; demoMonth: string | null }): HistoryWindow {
  const { history } = tierTerms[tier];
  if (history === 'all') return { kind: 'all' };
  if (history === 'month') return { kind: 'month', month: facts.demoMonth };
  return { kind: 'since', date: daysBefore(facts.today, history.days) };
}

/** The date that decides whether a revision is in the window: the Eastern date of its `source_updated_at`. */
export function revisionDate({ sourceObservation }: Pick<Revision, 'sourceObservation'>): string {
  return easternDate(sourceObservation.source_updated_at);
}

/** Whether a game of `date`, or a revision whose source was updated on it (`revisionDate`), may be read. */
export function isWithin(window: HistoryWindow, date: string): boolean {
  switch (window.kind) {
    case 'all':
      return true;
    case 'month':
      return window.month !== null && date.startsWith(`${window.month}-`);
    case 'since':
      return date >= window.date;
  }
}

function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

/** Whether the window ends before `date`, so that no later date is in it either. Only a month's window has an end. */
export function endsBefore(window: HistoryWindow, date: string): boolean {
  return window.kind === 'month' && (window.month === null || date > `${window.month}-31`);
}
