// Where the plays of a play-by-play are: their period, second, and ordinal within that second (docs/revisions.md#plays). The place depends
// on the body alone; a body with a play that cannot be placed is refused. Independent of what happened in a play.

import type { League } from '../../../schemas/reference/leagues.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { playFormOf } from '../play-forms.ts';
import { integerOf, listOf, valueAt } from '../values.ts';

export type PlacedPlay = {
  readonly play: JsonObject;
  /** Baseball: the at-bat that the play belongs to. */
  readonly atBat: JsonObject | null;
  readonly period: number;
  /** The second by the play's clock; null if it has none. */
  readonly secondsElapsed: number | null;
  /** The second of the place; in baseball, the index of its at-bat within the inning. */
  readonly second: number;
  /** Its index among the plays of that second, from 0. */
  readonly ordinal: number;
};

/** The pointer of a play that cannot be placed, and why. */
type Misplaced = { readonly pointer: string; readonly detail: string };

/** The highest period and the highest second that fit into a `sequence`. */
const highest = 99_999;
const mostOfOneSecond = 1_000;
const notInRange = `no integer of 0 to ${highest}`;

/** The name of the list that holds the plays. */
export function playListOf(league: League): 'plays' | 'atBats' {
  return playFormOf(league).list;
}

type PlacedPlays = readonly PlacedPlay[] | Misplaced;

/** The plays of an element in body order, or the first one that cannot be placed. */
export function placePlays(league: League, element: JsonValue): PlacedPlays {
  const listName = playListOf(league);
  const list = listOf(valueAt(element, listName));
  const places = new Places();
  const misplaced = listName === 'atBats' ? placeAtBats(list, places) : placeByClock(league, list, places);
  return misplaced ?? places.placed;
}

/** Narrows the result of `placePlays`. */
export function isMisplaced(answer: PlacedPlays): answer is Misplaced {
  return !Array.isArray(answer);
}

function placeByClock(league: League, plays: readonly JsonValue[], places: Places): Misplaced | null {
  const before = new Map<number, number>();
  for (const [index, play] of plays.entries()) {
    const pointer = `/plays/${index}`;
    const status = valueAt(play, 'playStatus');
    if (!isJsonObject(play) || !isJsonObject(status)) return { pointer: `${pointer}/playStatus`, detail: 'no object' };
    const clock = readClock(status, pointer, playFormOf(league).period, null);
    if ('pointer' in clock) return clock;
    const second = clock.secondsElapsed ?? before.get(clock.period) ?? 0;
    before.set(clock.period, second);
    const misplaced = places.add(pointer, { play, atBat: null, second }, clock);
    if (misplaced !== null) return misplaced;
  }
  return null;
}

/** Written without a real body to look at. The inning is that of a play's status, otherwise that of its at-bat. */
function placeAtBats(atBats: readonly JsonValue[], places: Places): Misplaced | null {
  const counts = new Map<number, number>();
  for (const [index, atBat] of atBats.entries()) {
    const pointer = `/atBats/${index}`;
    const plays = valueAt(atBat, 'atBatPlay');
    if (!isJsonObject(atBat) || !isJsonArray(plays)) return { pointer: `${pointer}/atBatPlay`, detail: 'no array' };
    const given = valueAt(atBat, 'inning') ?? valueAt(plays, 0, 'playStatus', 'inning');
    const inning = integerOf(given, 0, highest);
    if (inning === null && given !== null) return { pointer: `${pointer}/inning`, detail: notInRange };
    const second = inning === null ? 0 : (counts.get(inning) ?? 0);
    if (second > highest) return { pointer, detail: `more than ${highest + 1} at-bats of one inning` };
    if (inning !== null) counts.set(inning, second + 1);
    for (const [number, play] of plays.entries()) {
      const misplaced = placeOfAtBat(`${pointer}/atBatPlay/${number}`, { play, atBat, inning, second }, places);
      if (misplaced !== null) return misplaced;
    }
  }
  return null;
}

type OfAtBat = { play: JsonValue; atBat: JsonObject; inning: number | null; second: number };

function placeOfAtBat(pointer: string, { play, atBat, inning, second }: OfAtBat, places: Places): Misplaced | null {
  const status = valueAt(play, 'playStatus') ?? {};
  if (!isJsonObject(play) || !isJsonObject(status)) return { pointer: `${pointer}/playStatus`, detail: 'no object' };
  const clock = readClock(status, pointer, 'inning', inning);
  return 'pointer' in clock ? clock : places.add(pointer, { play, atBat, second }, clock);
}

const periodMembers = ['quarter', 'period', 'inning'] as const;

type Clock = { period: number; secondsElapsed: number | null };

/** `usual`: the member to report as missing if none has the period. */
function readClock(status: JsonObject, play: string, usual: string, otherwise: number | null): Clock | Misplaced {
  const name = periodMembers.find((each) => memberOf(status, each) !== null);
  const period = name === undefined ? otherwise : integerOf(memberOf(status, name), 0, highest);
  if (period === null) return { pointer: `${play}/playStatus/${name ?? usual}`, detail: notInRange };
  const given = memberOf(status, 'secondsElapsed');
  const secondsElapsed = integerOf(given, 0, highest);
  if (given !== null && secondsElapsed === null) {
    return { pointer: `${play}/playStatus/secondsElapsed`, detail: notInRange };
  }
  return { period, secondsElapsed };
}

type Found = Pick<PlacedPlay, 'play' | 'atBat' | 'second'>;

/** The plays placed so far, and how many each second has. */
class Places {
  readonly placed: PlacedPlay[] = [];
  readonly #counts = new Map<number, number>();

  add(pointer: string, { play, atBat, second }: Found, { period, secondsElapsed }: Clock): Misplaced | null {
    const place = period * (highest + 1) + second;
    const ordinal = this.#counts.get(place) ?? 0;
    if (ordinal >= mostOfOneSecond) return { pointer, detail: `more than ${mostOfOneSecond} plays of one second` };
    this.#counts.set(place, ordinal + 1);
    this.placed.push({ play, atBat, period, secondsElapsed, second, ordinal });
    return null;
  }
}
