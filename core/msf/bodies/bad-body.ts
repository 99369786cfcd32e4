// What makes a body, or one of its entries, `bad-body` (docs/revisions.md#observations; docs/revisions.md#bad-bodies): a missing list or
// object, a game that cannot be identified, a play that cannot be placed. Reports the first fault by its JSON pointer. Unknown action keys,
// statuses and statistics are not faults. Never throws: a member of something that is not an object counts as missing.

import type { League } from '../../../schemas/reference/leagues.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { EntriesForm } from '../feeds/feed.ts';
import { descriptorOf, listsOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { valueAt } from '../values.ts';
import { type GameForm, lackingIn } from './game-object.ts';

export type BadBody = { readonly pointer: string; readonly detail: string };

/** The fault of the body as a whole; entries are checked one by one. `isUnicode`: whether all its text is valid Unicode, if known. */
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

/** The fault of the entry at `pointer`, in a body that is a list of entries. */
export function entryProblem(form: EntriesForm, entry: JsonValue, pointer: string): BadBody | null {
  const problem = gameProblem(valueAt(entry, form.game), `${pointer}/${form.game}`, form.gameForm);
  return problem ?? form.problem?.(entry, pointer) ?? null;
}

function gameProblem(game: JsonValue, pointer: string, form: GameForm): BadBody | null {
  const lacking = lackingIn(game, form);
  return lacking === null ? null : { pointer: `${pointer}/${lacking.member}`, detail: lacking.detail };
}

/** Whether all names and strings in a value are valid Unicode: no lone surrogates. */
export function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (isJsonArray(value)) return value.every(isWellFormed);
  if (!isJsonObject(value)) return true;
  for (const name of Object.keys(value)) if (!name.isWellFormed() || !isWellFormed(value[name] ?? null)) return false;
  return true;
}
