// Who plays for the simulated teams: made-up names, the same for the same seed. Told through the gateway's `reference` route when a team is
// first on the slate. Pure.
import type { League } from '../../core/units.ts';
import { chance } from './chance.ts';
import type { DemoGame } from './slate.ts';

export type DemoTeam = { league: League; name: string };

const rosterSize = 10;

const firstNames = [
  'Alex',
  'Ben',
  'Caleb',
  'Dario',
  'Eli',
  'Felix',
  'Gus',
  'Hugo',
  'Ivan',
  'Jonas',
  'Kai',
  'Luka',
  'Milo',
  'Nico',
];
const lastNames = [
  'Abara',
  'Brandt',
  'Castell',
  'Dorsey',
  'Ekholm',
  'Farrow',
  'Garland',
  'Holm',
  'Ibsen',
  'Jarvis',
  'Kessler',
  'Lowry',
  'Moran',
  'Novak',
  'Okafor',
  'Petrov',
  'Quill',
  'Rhodes',
];

const positions: Readonly<Record<League, readonly string[]>> = {
  MLB: ['SP', 'C', '1B', '2B', '3B', 'SS', 'LF', 'CF', 'RF', 'DH'],
  NBA: ['PG', 'SG', 'SF', 'PF', 'C'],
  NHL: ['G', 'D', 'D', 'LW', 'C', 'RW'],
  NFL: ['QB', 'RB', 'WR', 'WR', 'TE', 'K'],
  NCAAM: ['G', 'G', 'F', 'F', 'C'],
};

/** The teams of these games, each once. */
export function teamsIn(games: readonly DemoGame[]): DemoTeam[] {
  const teams = games.flatMap(({ league, home, away }) => [home, away].map((name) => ({ league, name })));
  return [...new Map(teams.map((team) => [`${team.league} ${team.name}`, team])).values()];
}

/** What a source tells of teams before it names their players. */
export function teamsBody(teams: readonly DemoTeam[]): { teams: unknown[] } {
  return { teams: teams.map(({ league, name }) => ({ id: name, league, name })) };
}

/** The players of these teams. */
export function rostersBody(seed: number, teams: readonly DemoTeam[]): { players: unknown[] } {
  return { players: teams.flatMap((team) => rosterOf(seed, team)) };
}

function rosterOf(seed: number, { league, name }: DemoTeam): unknown[] {
  const pick = (from: readonly string[], ...of: readonly (string | number)[]): string =>
    from[Math.floor(chance(seed, league, name, ...of) * from.length)] ?? '';
  return Array.from({ length: rosterSize }, (_, slot) => ({
    id: `${name} ${slot}`,
    league,
    first_name: pick(firstNames, slot, 'first'),
    last_name: pick(lastNames, slot, 'last'),
    position: positions[league][slot % positions[league].length],
    jersey_number: 2 + slot * 5 + Math.floor(chance(seed, league, name, slot, 'jersey') * 5),
    team_id: name,
  }));
}
