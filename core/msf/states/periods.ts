// The periods of a game in each league: their names and lengths (docs/revisions.md#feeds-and-datasets).
import { type GamePart, type League, leagueTable } from '../../../schemas/reference/leagues.ts';

type PeriodType = GamePart | 'overtime';

/** docs/revisions.md#period-types. */
export function periodType(league: League, period: number | null): PeriodType | null {
  if (period === null) return null;
  return isOvertime(league, period) ? 'overtime' : leagueTable[league].regulation.part;
}

/** The length of a period; null if unknown. docs/revisions.md#state-from-plays. */
export function periodSeconds(league: League, period: number): number | null {
  const { seconds, overtimeSeconds } = leagueTable[league].regulation;
  return isOvertime(league, period) ? overtimeSeconds : seconds;
}

/** Baseball's extra innings are innings. */
function isOvertime(league: League, period: number): boolean {
  const { part, parts } = leagueTable[league].regulation;
  return part !== 'inning' && period > parts;
}
