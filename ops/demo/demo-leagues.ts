// How the demo simulates each league: its sport, the length of its games, the lines of its sportsbooks, positions, and its teams if the
// service lists none. The compiler requires an entry for every league of the service.
import { type League, leagueTable } from '../../schemas/reference/leagues.ts';
import { baseball } from './sports/baseball.ts';
import { basketball } from './sports/basketball.ts';
import { football } from './sports/football.ts';
import { hockey } from './sports/hockey.ts';
import type { SportRules } from './sports/sport.ts';

type DemoLeague = {
  readonly sport: SportRules;
  /** Seconds from the start of a game to its end. */
  readonly length: number;
  /** The centre of its lines, and how far they move. */
  readonly lines: { readonly total: number; readonly swing: number; readonly spread: number };
  /** Assigned to the players of a roster in turn. */
  readonly positions: readonly string[];
  /** The names of its teams; null: those that the service lists. */
  readonly teams: readonly string[] | null;
};

export const demoLeagues: Readonly<Record<League, DemoLeague>> = {
  MLB: {
    sport: baseball,
    length: 10_200,
    lines: { total: 8.5, swing: 2, spread: 1.5 },
    positions: ['SP', 'C', '1B', '2B', '3B', 'SS', 'LF', 'CF', 'RF', 'DH'],
    teams: null,
  },
  NBA: {
    sport: basketball(
      { ...leagueTable.NBA.regulation, gap: 6, part: 'quarter' },
      { points: [20.5, 15.5, 13.5], rebounds: [9.5, 7.5] },
    ),
    length: 8_400,
    lines: { total: 224.5, swing: 12, spread: 6.5 },
    positions: ['PG', 'SG', 'SF', 'PF', 'C'],
    teams: null,
  },
  NHL: {
    sport: hockey,
    length: 9_000,
    lines: { total: 6.5, swing: 1, spread: 1.5 },
    positions: ['G', 'D', 'D', 'LW', 'C', 'RW'],
    teams: null,
  },
  NFL: {
    sport: football,
    length: 11_400,
    lines: { total: 45.5, swing: 7, spread: 4.5 },
    positions: ['QB', 'RB', 'WR', 'WR', 'TE', 'K'],
    teams: null,
  },
  NCAAM: {
    sport: basketball(
      { ...leagueTable.NCAAM.regulation, gap: 8, part: 'period' },
      { points: [13.5, 9.5, 8.5], rebounds: [6.5, 4.5] },
    ),
    length: 7_500,
    lines: { total: 143.5, swing: 10, spread: 7.5 },
    positions: ['G', 'G', 'F', 'F', 'C'],
    teams: [
      'Duke Blue Devils',
      'Kansas Jayhawks',
      'UConn Huskies',
      'Gonzaga Bulldogs',
      'Houston Cougars',
      'Purdue Boilermakers',
      'Arizona Wildcats',
      'Baylor Bears',
    ],
  },
};

/** The simulated sport of this league. */
export function sportOf(league: League): SportRules {
  return demoLeagues[league].sport;
}
