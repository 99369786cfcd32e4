// The players of the simulated teams: made-up names, unique within a league, the same for the same seed. A team is pushed through the
// gateway's `reference` route when it is first on the slate, its players as a body of the feed `players`. Pure.
import { abbreviationFromName, referenceTeams } from '../../core/games/teams.ts';
import { type League, leagues } from '../../schemas/reference/leagues.ts';
import { chance } from './chance.ts';
import { demoLeagues } from './demo-leagues.ts';
import { type DemoGame, teamsOf } from './slate.ts';

export type DemoTeam = { league: League; name: string };
/** A team as in the bodies of feeds. */
export type FeedTeam = { id: number; abbreviation: string };
export type DemoPlayer = {
  id: number;
  firstName: string;
  lastName: string;
  position: string;
  jerseyNumber: number;
};

export const rosterSize = 10;

const firstNames =
  'Alex Ben Caleb Dario Eli Felix Gus Hugo Ivan Jonas Kai Luka Milo Nico Oskar Pavel Quinn Ravi Sami Theo'.split(' ');
const lastNames =
  'Abara Brandt Castell Dorsey Ekholm Farrow Garland Holm Ibsen Jarvis Kessler Lowry Moran Novak Okafor Petrov Quill Rhodes Sorel Tamm'.split(
    ' ',
  );
const names = lastNames.flatMap((lastName) => firstNames.map((firstName) => ({ firstName, lastName })));
/** Shares no divisor with the number of names, so that steps of this length visit each name once. */
const nameStep = 247;

const abbreviations = new Map(referenceTeams().map(({ team }) => [`${team.league} ${team.name}`, team.abbreviation]));

/** The teams of these games, without duplicates. */
export function teamsIn(games: readonly DemoGame[]): DemoTeam[] {
  const teams = games.flatMap(({ league, home, away }) => [home, away].map((name) => ({ league, name })));
  return [...new Map(teams.map((team) => [`${team.league} ${team.name}`, team])).values()];
}

export function feedTeam({ league, name }: DemoTeam): FeedTeam {
  const id = (leagues.indexOf(league) + 1) * 1_000 + teamsOf(league).indexOf(name);
  return { id, abbreviation: abbreviations.get(`${league} ${name}`) ?? abbreviationFromName(name) };
}

/** The players of a team, by slot. */
export function playersOf(seed: number, team: DemoTeam): DemoPlayer[] {
  const { league, name } = team;
  const firstName = Math.floor(chance(seed, league, 'names') * names.length);
  const { positions } = demoLeagues[league];
  const before = teamsOf(league).indexOf(name) * rosterSize;
  return Array.from({ length: rosterSize }, (_, slot) => ({
    id: feedTeam(team).id * 100 + slot,
    ...(names[(firstName + (before + slot) * nameStep) % names.length] ?? { firstName: '', lastName: '' }),
    position: positions[slot % positions.length] ?? '',
    jerseyNumber: 2 + slot * 5 + Math.floor(chance(seed, league, name, slot, 'jersey') * 5),
  }));
}

/** The reference data that a source pushes about teams before their players. */
export function teamsBody(teams: readonly DemoTeam[]): { teams: unknown[] } {
  return { teams: teams.map(({ league, name }) => ({ id: name, league, name })) };
}
