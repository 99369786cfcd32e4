// What the parts of a game are called in each league, and how long they last (docs/revisions.md#feeds-and-datasets).
import type { League } from '../../units.ts';

export type PeriodType = 'quarter' | 'period' | 'half' | 'inning' | 'overtime';

/** `seconds`: length of a regular period and of an overtime; null where the clock does not tell what is left. */
type Course = { type: PeriodType; regular: number; seconds: number | null; overtimeSeconds: number | null };

const courses: Readonly<Record<League, Course>> = {
  NBA: { type: 'quarter', regular: 4, seconds: 720, overtimeSeconds: 300 },
  NFL: { type: 'quarter', regular: 4, seconds: 900, overtimeSeconds: null },
  NHL: { type: 'period', regular: 3, seconds: 1200, overtimeSeconds: null },
  NCAAM: { type: 'half', regular: 2, seconds: 1200, overtimeSeconds: 300 },
  MLB: { type: 'inning', regular: Number.POSITIVE_INFINITY, seconds: null, overtimeSeconds: null },
};

/** docs/revisions.md#period-types. */
export function periodType(league: League, period: number | null): PeriodType | null {
  if (period === null) return null;
  return period > courses[league].regular ? 'overtime' : courses[league].type;
}

/** How long a period lasts; null where that is not known. docs/revisions.md#state-from-plays. */
export function periodSeconds(league: League, period: number): number | null {
  const { regular, seconds, overtimeSeconds } = courses[league];
  return period > regular ? overtimeSeconds : seconds;
}
