// The object in which a body names its game: `/game`, `/games/i/schedule` or, with less in it, `/gamelogs/i/game`
// (docs/revisions.md#feeds-and-datasets).

import type { JsonValue } from '../../json/value.ts';
import type { Micros } from '../../units.ts';
import type { MsfTeam } from '../ids.ts';
import { int64Of, textOf, timestampOf, valueAt } from '../values.ts';

/** What a body says of its game, for resolving it. `fromSchedule`: in a whole game object, with its place in the schedule. */
export type MsfGame = { id: number; startTime: Micros; away: MsfTeam; home: MsfTeam; fromSchedule: boolean };

/** A gamelog names its game by id, start and the abbreviations of its sides. */
export type GameForm = 'whole' | 'gamelog';

/** A member that a game object must have, and what it then is. */
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

/** The first member that a game object lacks, as the end of a pointer, and what it is not; null when it has all. */
export function lackingIn(game: JsonValue, form: GameForm): { member: string; detail: string } | null {
  for (const { path, read, kind } of needed[form]) {
    if (read(valueAt(game, ...path)) === null) return { member: path.join('/'), detail: `no ${kind}` };
  }
  return null;
}

/** The game of an object that lacks nothing; null of one that does. */
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
