// The calendar of the catalog. A game counts as settled once one of its final artifacts has landed.
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { Micros } from '../../core/units.ts';
import { micros } from './live-catalog.ts';
import type { Sql } from './sql.ts';

export function openCalendarCatalog(sql: Sql): CalendarCatalog {
  return {
    async calendar() {
      const { rows } = await sql.query(
        `select ${micros('now()')} as now, (
           select to_char(g.game_date, 'YYYY-MM') from games g
           where g.game_date < date_trunc('month', now() at time zone 'America/New_York')::date
             and exists (select from artifacts a where a.game_uuid = g.id)
           order by g.game_date desc limit 1) as month`,
        [],
        'calendar',
      );
      return { now: rows[0]?.now as Micros, newestSettledMonth: (rows[0]?.month ?? null) as string | null };
    },
  };
}
