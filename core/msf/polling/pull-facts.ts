// What polling learns of an answer: games with their starts and statuses, and which feeds have moved. Total: whatever has another form than
// it should says nothing, and what is not known to be unmoved is asked for as usual. Unaware of what bodies mean to the folds.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf, numberText } from '../../json/value.ts';
import { parseRfc3339 } from '../../time/rfc3339.ts';
import { descriptorOf, feeds } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import type { PolledGame } from './paces.ts';
import type { Pull } from './pulls.ts';

export type PullFacts = {
  games: readonly PolledGame[];
  /** By subject (`subjectOf`), the stamp of its newest content; null where the body is no list of updates. */
  stamps: ReadonlyMap<string, string> | null;
};

const none: PullFacts = { games: [], stamps: null };

/** Facts of the body that answered `pull`. */
export function factsOf(pull: Pull, body: JsonValue): PullFacts {
  if (!isJsonObject(body)) return none;
  if (pull.feed === 'latest_updates') return { games: [], stamps: stampsOf(body) };
  const { form } = descriptorOf(pull.feed);
  if (form.kind === 'entries' && form.gameForm === 'whole') {
    return { games: listOf(body, form.list).flatMap((entry) => gameOf(objectOf(entry, form.game))), stamps: null };
  }
  return { games: gameOf(objectOf(body, 'game')), stamps: null };
}

function gameOf(said: JsonObject | null): PolledGame[] {
  if (said === null) return [];
  const id = integerOf(memberOf(said, 'id'));
  const start = memberOf(said, 'startTime');
  const startTime = typeof start === 'string' ? parseRfc3339(start) : null;
  const playedStatus = memberOf(said, 'playedStatus');
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

/** A feed of the source whose name, or abbreviation, could be taken for that of another. */
const isNotPolled = /injuryhistory/;

/** The feed of an entry, by its abbreviation or its name. */
function feedOf(said: JsonValue): MsfFeed | null {
  const names = isJsonObject(said) ? [memberOf(said, 'abbreviation'), memberOf(said, 'name')] : [said];
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
  const said = isJsonObject(entry) ? (memberOf(entry, 'date') ?? memberOf(entry, 'forDate')) : null;
  const digits = typeof said === 'string' ? said.slice(0, 10).replaceAll('-', '').slice(0, 8) : '';
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
