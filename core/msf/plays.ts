// The plays of a play-by-play body (msf.md, State, plays; Mapping, plays). Pure functions of the body: what a play is called, where it
// stands and what it scored depend on nothing that was seen before. Unaware of revisions and of the game's public id.
import type { PlaysRow } from '../../schemas/datasets/plays.ts';
import { canonicalJson } from '../json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../json/value.ts';
import type { BodyIds } from './body-ids.ts';
import { PlayIds, sequenceOf } from './play-identity.ts';
import { isMisplaced, type PlacedPlay, placePlays } from './play-places.ts';
import { actingTeam, type Scoring, scoringOf } from './points.ts';
import { int64Of, objectOf, textOf } from './values.ts';

/** A play as columns; those that the game and its league give are added where rows are made. */
export type Play = Omit<PlaysRow, 'game_id' | 'league' | 'period_type'>;

/** A play with what the state of its game is told from. */
export type ReadPlay = { readonly play: Play; readonly status: JsonObject | null; readonly scoring: Scoring };

/** The plays of an element in body order; none of one that is refused for the place of a play. */
export function readPlays(ids: BodyIds, gameId: number, element: JsonObject): readonly ReadPlay[] {
  const placed = placePlays(ids.league, element);
  if (isMisplaced(placed)) return [];
  const playIds = new PlayIds();
  return placed.map((one) => readPlay(ids, gameId, one, playIds));
}

function readPlay(ids: BodyIds, gameId: number, placed: PlacedPlay, playIds: PlayIds): ReadPlay {
  const { play: source, atBat, period, secondsElapsed } = placed;
  const { description: given = null, ...detail } = source;
  const description = textOf(given) ?? '';
  const type = actionOf(source);
  const action = objectOf(memberOf(source, type));
  const players = playersOf(action);
  const scoring = scoringOf(ids, type, action, description);
  // An at-bat has no clock: its index within the inning stands for the second.
  const second = atBat === null ? secondsElapsed : placed.second;
  const play = {
    play_id: playIds.next({ league: ids.league, gameId, period, second, action: type, players, description }),
    sequence: sequenceOf(placed),
    period,
    clock_seconds_elapsed: secondsElapsed,
    play_type: type,
    description,
    team_id: scoring.points === null ? ids.team(teamOfPlay(action, atBat)) : scoring.team,
    player_ids: players.map((id) => ids.player(id)),
    points: scoring.points,
    detail: canonicalJson(detail),
  };
  return { play, status: objectOf(memberOf(source, 'playStatus')), scoring };
}

/** The member that says what happened; empty when none does. */
function actionOf(source: JsonObject): string {
  let first: string | null = null;
  for (const name of Object.keys(source)) {
    if (name === 'description' || name === 'playStatus') continue;
    if (first === null || name < first) first = name;
  }
  return first ?? '';
}

function teamOfPlay(action: JsonObject | null, atBat: JsonObject | null): JsonValue {
  const acting = action === null ? null : actingTeam(action);
  return acting ?? (atBat === null ? null : memberOf(atBat, 'battingTeam'));
}

const playerName = /[pP]layer[0-9]*$/;

/** Source ids of the players anywhere in an action, ascending. */
function playersOf(action: JsonObject | null): readonly number[] {
  const found = new Set<number>();
  if (action !== null) collectPlayers(action, found);
  return [...found].sort((a, b) => a - b);
}

function collectPlayers(value: JsonValue, found: Set<number>): void {
  if (isJsonArray(value)) for (const element of value) collectPlayers(element, found);
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    const member = memberOf(value, name);
    const id = isJsonObject(member) && playerName.test(name) ? int64Of(memberOf(member, 'id')) : null;
    if (id !== null) found.add(id);
    collectPlayers(member, found);
  }
}
