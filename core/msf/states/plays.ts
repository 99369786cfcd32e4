// The plays of a play-by-play body (docs/revisions.md#plays). Pure functions of the body: a play's id, its place and its points do not
// depend on earlier bodies. Independent of revisions and of the game's public id.
import { canonicalJson } from '../../json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { isMisplaced, type PlacedPlay, placePlays, playListOf } from '../bodies/play-places.ts';
import { int64Of, objectOf, textOf } from '../values.ts';
import type { BodyIds } from './body-ids.ts';
import { Occurrences, playIdOf, playName, sequenceOf } from './play-identity.ts';
import { actingTeam, type Scoring, scoringOf } from './points.ts';
import { type Play, reusePlay } from './reuse-plays.ts';

/** A play, and the facts from which the state of its game is derived. */
export type ReadPlay = { readonly play: Play; readonly status: JsonObject | null; readonly scoring: Scoring };

/**
 * The plays of an element in body order; none if a play cannot be placed. Plays that `before` has under the same `play_id` and with the
 * same values are reused; entries that `text` knows are not read again.
 */
export function readPlays(
  ids: BodyIds,
  gameId: number,
  element: JsonObject,
  before: readonly Play[] = [],
  text: ElementText | null = null,
): readonly ReadPlay[] {
  const placed = placePlays(ids.league, element);
  if (isMisplaced(placed)) return [];
  const about = text?.aboutOf(JSON.stringify([gameId, ids.sides])) ?? {};
  const entries = text?.entriesOf(memberOf(element, playListOf(ids.league))) ?? [];
  const occurrences = new Occurrences();
  return placed.map((one, index) => {
    // The plays of an at-bat share an entry, so an entry does not identify a play.
    const entry = one.atBat === null ? entries[index] : undefined;
    const reading = entry?.read(about, () => readPlay(ids, gameId, one)) ?? readPlay(ids, gameId, one);
    const play = playOf(reading, sequenceOf(one), occurrences.next(reading.name), before);
    return { play, status: objectOf(memberOf(one.play, 'playStatus')), scoring: reading.scoring };
  });
}

/** What a play says by itself, independent of its place in the body. */
type PlayReading = {
  readonly name: string;
  readonly columns: Omit<Play, 'play_id' | 'sequence'>;
  readonly scoring: Scoring;
  /** The play at its last place, reused if it has not moved. */
  last: { readonly occurrence: number; readonly play: Play } | null;
};

function readPlay(ids: BodyIds, gameId: number, placed: PlacedPlay): PlayReading {
  const { play: source, atBat, period, secondsElapsed } = placed;
  const { description: given = null, ...detail } = source;
  const description = textOf(given) ?? '';
  const type = actionOf(source);
  const action = objectOf(memberOf(source, type));
  const players = playersOf(action);
  const scoring = scoringOf(ids, type, action, description);
  // An at-bat has no clock: its index within the inning is used as the second.
  const second = atBat === null ? secondsElapsed : placed.second;
  const columns = {
    period,
    clock_seconds_elapsed: secondsElapsed,
    play_type: type,
    description,
    team_id: scoring.points === null ? ids.team(teamOfPlay(action, atBat)) : scoring.team,
    player_ids: players.map((id) => ids.player(id)),
    points: scoring.points,
    detail: canonicalJson(detail),
  };
  const name = playName({ league: ids.league, gameId, period, second, action: type, players, description });
  return { name, columns, scoring, last: null };
}

function playOf(reading: PlayReading, sequence: number, occurrence: number, before: readonly Play[]): Play {
  const { last, name, columns } = reading;
  if (last !== null && last.occurrence === occurrence && last.play.sequence === sequence) return last.play;
  const id = last?.occurrence === occurrence ? last.play.play_id : playIdOf(name, occurrence);
  const play = reusePlay({ play_id: id, sequence, ...columns }, before);
  reading.last = { occurrence, play };
  return play;
}

/** The member that says what happened; empty if there is none. */
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
