// What the poller learns from an answer: games with their starts and statuses, and which feeds have changed. Never throws: members of the
// wrong form are ignored, and a feed that is not reported unchanged is polled as usual. Independent of what bodies mean to the folds.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf, numberText } from '../../json/value.ts';
import { parseRfc3339 } from '../../time/rfc3339.ts';
import { descriptorOf, feeds } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import type { PolledGame } from './paces.ts';
import type { Pull } from './pulls.ts';

export type PullFacts = {
  games: readonly PolledGame[];
  /** By subject (`subjectOf`), the stamp of its newest content; null if the body is not a list of updates. */
  stamps: ReadonlyMap<string, string> | null;
};

const none: PullFacts = { games: [], stamps: null };

/** The facts in the body that answered `pull`. */
export function factsOf(pull: Pull, body: JsonValue): PullFacts {
  if (!isJsonObject(body)) return none;
  if (pull.feed === 'latest_updates') return { games: [], stamps: stampsOf(body) };
  const { form } = descriptorOf(pull.feed);
  if (form.kind === 'entries' && form.gameForm === 'whole') {
    return { games: listOf(body, form.list).flatMap((entry) => gameOf(objectOf(entry, form.game))), stamps: null };
  }
  return { games: gameOf(objectOf(body, 'game')), stamps: null };
}

function gameOf(game: JsonObject | null): PolledGame[] {
  if (game === null) return [];
  const id = integerOf(memberOf(game, 'id'));
  const start = memberOf(game, 'startTime');
  const startTime = typeof start === 'string' ? parseRfc3339(start) : null;
  const playedStatus = memberOf(game, 'playedStatus');
  return id === null || startTime === null || typeof playedStatus !== 'string' ? [] : [{ id, startTime, playedStatus }];
}

function stampsOf(body: JsonObject): Map<string, string> {
  const stamps = new Map<string, string>();
  const note = (subject: string, holder: JsonObject): void => {
    const stamp = memberOf(holder, 'lastUpdatedOn');
    if (typeof stamp === 'string') stamps.set(subject, stamp);
  };
  for (const update of listOf(body, 'feedUpdates')) {
    if (!isJsonObject(update)) continue;
    const feed = feedOf(memberOf(update, 'feed'));
    if (feed === null) continue;
    const days = listsOf(update, ['forDate', 'forDates']);
    const games = listsOf(update, ['forGame', 'forGames']);
    if (days.length === 0 && games.length === 0) note(feed, update);
    for (const each of days) {
      const day = dayOf(each);
      if (day !== null && isJsonObject(each)) note(`${feed} ${day}`, each);
    }
    for (const each of games) {
      const game = objectOf(each, 'game');
      const id = game === null ? null : integerOf(memberOf(game, 'id'));
      if (id !== null && isJsonObject(each)) note(`${feed} ${id}`, each);
    }
  }
  return stamps;
}

/** A feed that is not polled, but whose name or abbreviation resembles one that is. */
const isNotPolled = /injuryhistory/;

/** The feed of an entry, by its abbreviation or its name. */
function feedOf(entry: JsonValue): MsfFeed | null {
  const names = isJsonObject(entry) ? [memberOf(entry, 'abbreviation'), memberOf(entry, 'name')] : [entry];
  for (const name of names) {
    if (typeof name !== 'string') continue;
    const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '');
    if (isNotPolled.test(letters)) return null;
    const known = feeds.find(({ polling }) => polling.called?.test(letters));
    if (known !== undefined) return known.name;
  }
  return null;
}

/** The day of an entry, as eight digits. */
function dayOf(entry: JsonValue): string | null {
  const text = isJsonObject(entry) ? (memberOf(entry, 'date') ?? memberOf(entry, 'forDate')) : null;
  const digits = typeof text === 'string' ? text.slice(0, 10).replaceAll('-', '').slice(0, 8) : '';
  return /^[0-9]{8}$/.test(digits) ? digits : null;
}

function listsOf(holder: JsonObject, names: readonly string[]): readonly JsonValue[] {
  return names.flatMap((name) => listOf(holder, name));
}

function listOf(holder: JsonObject, name: string): readonly JsonValue[] {
  const list = memberOf(holder, name);
  return isJsonArray(list) ? list : [];
}

function objectOf(holder: JsonValue, name: string): JsonObject | null {
  const member = isJsonObject(holder) ? memberOf(holder, name) : null;
  return isJsonObject(member) ? member : null;
}

function integerOf(value: JsonValue): number | null {
  const text = numberText(value);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}
