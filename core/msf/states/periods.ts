// What the parts of a game are called in each league, and how long they last (docs/revisions.md#feeds-and-datasets).
import { type GamePart, type League, leagueTable } from '../../../schemas/reference/leagues.ts';

type PeriodType = GamePart | 'overtime';

/** docs/revisions.md#period-types. */
export function periodType(league: League, period: number | null): PeriodType | null {
  if (period === null) return null;
  return isOvertime(league, period) ? 'overtime' : leagueTable[league].course.part;
}

/** How long a period lasts; null where that is not known. docs/revisions.md#state-from-plays. */
export function periodSeconds(league: League, period: number): number | null {
  const { seconds, overtimeSeconds } = leagueTable[league].course;
  return isOvertime(league, period) ? overtimeSeconds : seconds;
}

/** Extra innings are innings. */
function isOvertime(league: League, period: number): boolean {
  const { part, parts } = leagueTable[league].course;
  return part !== 'inning' && period > parts;
}
