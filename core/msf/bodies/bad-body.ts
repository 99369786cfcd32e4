// What makes a body, or one entry of it, `bad-body` (docs/revisions.md#observations; docs/revisions.md#bad-bodies): a list or an object that
// is not there, a game that cannot be named, a play that cannot be placed. The first thing that is wrong is named, by its JSON pointer. What
// is merely unknown — action keys, statuses, statistics — is no fault. Total: a member of what is no object is not there.

import type { League } from '../../../schemas/reference/leagues.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { EntriesForm } from '../feeds/feed.ts';
import { descriptorOf, listsOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { valueAt } from '../values.ts';
import { type GameForm, lackingIn } from './game-object.ts';

export type BadBody = { readonly pointer: string; readonly detail: string };

/** What is wrong with a body as a whole; entries are judged one by one. `isUnicode`: of a body that is known to be, or not to be. */
export function bodyProblem(
  feed: MsfFeed,
  league: League,
  body: JsonValue,
  isUnicode = isWellFormed(body),
): BadBody | null {
  if (!isUnicode) return { pointer: '', detail: 'text that is no valid Unicode' };
  for (const path of listsOf(feed, league)) {
    if (!isJsonArray(valueAt(body, ...path))) return { pointer: `/${path.join('/')}`, detail: 'no array' };
  }
  const { form } = descriptorOf(feed);
  if (form.kind === 'game') return gameProblem(valueAt(body, 'game'), '/game', 'whole');
  return form.kind === 'league' ? (form.problem?.(body) ?? null) : null;
}

/** What is wrong with the entry at `pointer` of a body that is a list of entries. */
export function entryProblem(form: EntriesForm, entry: JsonValue, pointer: string): BadBody | null {
  const problem = gameProblem(valueAt(entry, form.game), `${pointer}/${form.game}`, form.gameForm);
  return problem ?? form.problem?.(entry, pointer) ?? null;
}

function gameProblem(game: JsonValue, pointer: string, form: GameForm): BadBody | null {
  const lacking = lackingIn(game, form);
  return lacking === null ? null : { pointer: `${pointer}/${lacking.member}`, detail: lacking.detail };
}

/** Whether all names and texts in a value are Unicode: no surrogate stands alone. */
export function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (isJsonArray(value)) return value.every(isWellFormed);
  if (!isJsonObject(value)) return true;
  for (const name of Object.keys(value)) if (!name.isWellFormed() || !isWellFormed(value[name] ?? null)) return false;
  return true;
}
