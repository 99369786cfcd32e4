// The object in which a body describes its game: `/game`, `/games/i/schedule` or, with fewer members, `/gamelogs/i/game`
// (docs/revisions.md#feeds-and-datasets).

import type { JsonValue } from '../../json/value.ts';
import type { Micros } from '../../units.ts';
import type { MsfTeam } from '../ids.ts';
import { int64Of, textOf, timestampOf, valueAt } from '../values.ts';

/**
 * What a body says about its game, used to resolve it. `fromSchedule`: the body has a whole game object, so the start is from the schedule.
 */
export type MsfGame = { id: number; startTime: Micros; away: MsfTeam; home: MsfTeam; fromSchedule: boolean };

/** A gamelog identifies its game by id, start and the abbreviations of its teams. */
export type GameForm = 'whole' | 'gamelog';

/** A member that a game object must have, and the kind of value it must be. */
type Needed = { path: readonly string[]; read: (value: JsonValue) => number | string | null; kind: string };

const identity: readonly Needed[] = [
  { path: ['id'], read: int64Of, kind: 'integer' },
  { path: ['startTime'], read: timestampOf, kind: 'RFC 3339 time with a zone' },
];

const needed: { readonly [Form in GameForm]: readonly Needed[] } = {
  gamelog: identity,
  whole: [
    ...identity,
    { path: ['awayTeam', 'id'], read: int64Of, kind: 'integer' },
    { path: ['homeTeam', 'id'], read: int64Of, kind: 'integer' },
    { path: ['scheduleStatus'], read: textOf, kind: 'text' },
    { path: ['playedStatus'], read: textOf, kind: 'text' },
  ],
};

/** The first required member that a game object lacks, as the end of a pointer, and the fault; null if it has all. */
export function lackingIn(game: JsonValue, form: GameForm): { member: string; detail: string } | null {
  for (const { path, read, kind } of needed[form]) {
    if (read(valueAt(game, ...path)) === null) return { member: path.join('/'), detail: `no ${kind}` };
  }
  return null;
}

/** The game of an object; null if it lacks a required member. */
export function gameOf(game: JsonValue, form: GameForm): MsfGame | null {
  const id = int64Of(valueAt(game, 'id'));
  const startTime = timestampOf(valueAt(game, 'startTime'));
  if (id === null || startTime === null || lackingIn(game, form) !== null) return null;
  return { id, startTime, away: sideOf(game, 'away'), home: sideOf(game, 'home'), fromSchedule: form === 'whole' };
}

function sideOf(game: JsonValue, side: 'away' | 'home'): MsfTeam {
  const id = int64Of(valueAt(game, `${side}Team`, 'id'));
  const abbreviation = textOf(valueAt(game, `${side}Team`, 'abbreviation'));
  return { id, abbreviation: abbreviation ?? textOf(valueAt(game, `${side}TeamAbbreviation`)) };
}
