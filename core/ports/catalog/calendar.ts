// The catalog as history windows know it: what time it is there, and what the DEMO tier shows where nothing is configured.
import type { Micros } from '../../units.ts';

export type CatalogCalendar = {
  /** The catalog's own clock. */
  now: Micros;
  /** The newest month, `YYYY-MM`, that was over in New York and holds a settled game; null: there is none. */
  newestSettledMonth: string | null;
};

export interface CalendarCatalog {
  /** @throws CatalogUnavailable */
  calendar(): Promise<CatalogCalendar>;
}
