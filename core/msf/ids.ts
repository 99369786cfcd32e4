// The service's ids for what MSF identifies by numbers (docs/revisions.md#ids). Pure and independent of the catalog: the same body gives
// the same ids everywhere, whatever else the service knows about a team.

import { type League, leagues } from '../../schemas/reference/leagues.ts';
import { teamId } from '../games/team-directory.ts';
import { abbreviationFromName, referenceDirectory } from '../games/teams.ts';
import { serviceUuid } from '../games/uuid.ts';
import { teamsAppear } from '../league-code.ts';

/** A team as a body names it; either may be missing. */
export type MsfTeam = { readonly id: number | null; readonly abbreviation: string | null };

/** The source under which games, players and venues of MSF are known, whichever source pushed them. */
export const msfSource = 'msf';

const knownTeams = referenceDirectory();

const leagueUuids = new Map(leagues.map((league) => [league, serviceUuid('league', league)]));

/** The key of a league's observations. */
export function leagueUuid(league: League): string {
  return leagueUuids.get(league) as string;
}

/** The UUID of a game that only MSF has named; its source and event id are `msf` and `game/<LEAGUE>/<id>`. */
export function gameUuid(league: League, id: number): string {
  return serviceUuid(msfSource, gameEventId(league, id));
}

/** The event id under which a game of MSF is resolved. */
export function gameEventId(league: League, id: number): string {
  return `game/${league}/${id}`;
}

export function playerUuid(league: League, id: number): string {
  return serviceUuid(msfSource, 'player', league, String(id));
}

export function venueUuid(league: League, id: number): string {
  return serviceUuid(msfSource, 'venue', league, String(id));
}

/**
 * The id of a team: by its abbreviation or alias in teams.csv; of a college, by the abbreviation made from its name, which MSF gives only
 * abbreviated; of any other team, by MSF's id, or null if it has none.
 */
export function teamUuid(league: League, abbreviation: string | null, id: number): string;
export function teamUuid(league: League, abbreviation: string | null, id: number | null): string | null;
export function teamUuid(league: League, abbreviation: string | null, id: number | null): string | null {
  const known = abbreviation === null ? null : knownTeamId(league, abbreviation);
  if (known !== null) return known;
  return id === null ? null : serviceUuid(msfSource, 'team', league, String(id));
}

/** As `teamUuid`, but within a game: a team with the id of one of its two sides is that side, and the side's abbreviation identifies it. */
export function teamUuidIn(
  league: League,
  sides: { readonly away: MsfTeam; readonly home: MsfTeam },
  team: MsfTeam,
): string | null {
  const side = team.id === null ? undefined : [sides.away, sides.home].find(({ id }) => id === team.id);
  const { abbreviation, id } = side ?? team;
  return teamUuid(league, abbreviation, id);
}

/** Whether teams.csv has a team with this abbreviation or alias. */
export function isInTable(league: League, abbreviation: string): boolean {
  return knownTeams.find(league, abbreviation) !== null;
}

function knownTeamId(league: League, abbreviation: string): string | null {
  if (!teamsAppear(league)) return knownTeams.find(league, abbreviation)?.id ?? null;
  const made = abbreviationFromName(abbreviation);
  return made === '' ? null : teamId(league, made);
}
