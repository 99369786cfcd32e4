// Where the plays of a play-by-play stand: period, second, and which of that second (docs/revisions.md#plays). A place is a
// function of the body alone, and a body in which a play has none is refused. Unaware of what happened in a play.

import type { League } from '../../../schemas/reference/leagues.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { playFormOf } from '../play-forms.ts';
import { integerOf, listOf, valueAt } from '../values.ts';

export type PlacedPlay = {
  readonly play: JsonObject;
  /** Baseball: the at-bat that the play is of. */
  readonly atBat: JsonObject | null;
  readonly period: number;
  /** What the clock said, null when it did not. */
  readonly secondsElapsed: number | null;
  /** The second that the play is placed in; baseball: the index of its at-bat within the inning. */
  readonly second: number;
  /** Its place among the plays of that second, from 0. */
  readonly ordinal: number;
};

/** The play that has no place, by its pointer. */
type Misplaced = { readonly pointer: string; readonly detail: string };

/** Both of a period and of a second: what a `sequence` has room for. */
const highest = 99_999;
const mostOfOneSecond = 1_000;
const notInRange = `no integer of 0 to ${highest}`;

/** The name of the list that holds the plays. */
export function playListOf(league: League): 'plays' | 'atBats' {
  return playFormOf(league).list;
}

type PlacedPlays = readonly PlacedPlay[] | Misplaced;

/** The plays of an element in body order, or the first of them that has no place. */
export function placePlays(league: League, element: JsonValue): PlacedPlays {
  const listName = playListOf(league);
  const list = listOf(valueAt(element, listName));
  const places = new Places();
  const misplaced = listName === 'atBats' ? placeAtBats(list, places) : placeByClock(league, list, places);
  return misplaced ?? places.placed;
}

/** Of what `placePlays` answers. */
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

/** No real body was seen: the inning counts where a play's status has it, else where its at-bat has. */
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

/** `usual`: the member that is missing when none has the period. */
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

/** The plays placed so far, and how many each second holds. */
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
