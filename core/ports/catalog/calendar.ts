// The calendar for history windows: the catalog's time, and the month that the DEMO tier shows by default.
import type { Micros } from '../../units.ts';

export type CatalogCalendar = {
  /** The catalog's own clock. */
  now: Micros;
  /** The newest month, `YYYY-MM`, that has ended in New York and contains a settled game; null if there is none. */
  newestSettledMonth: string | null;
};

export interface CalendarCatalog {
  /** @throws CatalogUnavailable */
  calendar(): Promise<CatalogCalendar>;
}
