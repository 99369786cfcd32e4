// Questions about a text that may be a league code. The leagues themselves are in schemas/reference/leagues.ts.
import { type League, leagueTable } from '../schemas/reference/leagues.ts';

/** Whether `text` is a league code, upper case. */
export function isLeague(text: string): text is League {
  return Object.hasOwn(leagueTable, text);
}

/** Whether teams of this league are created when a source first names them (docs/quotes.md#college-teams). */
export function teamsAppear(league: string): boolean {
  return isLeague(league) && leagueTable[league].teams === 'appearing';
}
