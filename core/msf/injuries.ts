// The injuries of a game are those of its two teams in the league's body (msf.md, State; Mapping, Injuries): an element of its own, made when
// the league's was, so that the game's stream is a function of the game's observations alone.

import type { JsonObject, JsonValue } from '../json/value.ts';
import type { League } from '../units.ts';
import { elementOf } from './element.ts';
import { teamUuid } from './ids.ts';
import { listOf, teamOf, valueAt } from './values.ts';

/** The league's element with only the players, injured or not, whose `currentTeam` is one of the two. */
export function injuriesOfGame(
  leagueElement: JsonObject,
  league: League,
  homeTeamId: string,
  awayTeamId: string,
): JsonObject {
  const isOfGame = (player: JsonValue): boolean => {
    const team = currentTeamId(league, player);
    return team !== null && (team === homeTeamId || team === awayTeamId);
  };
  return elementOf(leagueElement, 'players', listOf(valueAt(leagueElement, 'players')).filter(isOfGame));
}

/** The canonical id of a player's present team; null without one. */
export function currentTeamId(league: League, player: JsonValue): string | null {
  const team = teamOf(valueAt(player, 'currentTeam'));
  return team === null ? null : teamUuid(league, team.abbreviation, team.id);
}
