// The injuries of a game: those of its two teams in the league's body (docs/revisions.md#feeds-and-datasets; docs/revisions.md#injuries).
// They become an element of their own when the league's body is taken, so that the game's stream is a function of the game's observations
// alone.

import type { League } from '../../../schemas/reference/leagues.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { teamUuid } from '../ids.ts';
import { listOf, teamOf, valueAt } from '../values.ts';

/** Team ids by abbreviation, as the catalog resolves them for games too; unknown abbreviations are absent. */
export type NamedTeams = ReadonlyMap<string, string>;

/**
 * For each game, the entries of the league's list that belong to it: the players, injured or not, of its two teams by `currentTeam`, in
 * order. Looks up each player's team once.
 */
export function injuriesOfGames(
  leagueElement: JsonObject,
  league: League,
  named: NamedTeams,
): (homeTeamId: string, awayTeamId: string) => JsonValue[] {
  const players = listOf(valueAt(leagueElement, 'players'));
  const ofTeams = new Map<string, number[]>();
  for (const [at, player] of players.entries()) {
    const team = named.get(abbreviationOf(player) ?? '') ?? currentTeamId(league, player);
    if (team === null) continue;
    const ofTeam = ofTeams.get(team);
    if (ofTeam === undefined) ofTeams.set(team, [at]);
    else ofTeam.push(at);
  }
  return (homeTeamId, awayTeamId) => {
    const teams = new Set([homeTeamId, awayTeamId]);
    const places = [...teams].flatMap((team) => ofTeams.get(team) ?? []);
    return places.sort((one, other) => one - other).map((at) => players[at] as JsonValue);
  };
}

/** The abbreviations of the current teams of an element's players, each once. */
export function currentAbbreviations(leagueElement: JsonObject): string[] {
  const found = listOf(valueAt(leagueElement, 'players')).map(abbreviationOf);
  return [...new Set(found.filter((abbreviation) => abbreviation !== null))];
}

function abbreviationOf(player: JsonValue): string | null {
  return teamOf(valueAt(player, 'currentTeam'))?.abbreviation ?? null;
}

/** The canonical id of a player's current team; null if the player has none. */
export function currentTeamId(league: League, player: JsonValue): string | null {
  const team = teamOf(valueAt(player, 'currentTeam'));
  return team === null ? null : teamUuid(league, team.abbreviation, team.id);
}
