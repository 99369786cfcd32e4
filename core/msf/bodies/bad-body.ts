// What makes a body, or one entry of it, `bad-body` (docs/revisions.md#observations; docs/revisions.md#bad-bodies): a list or an object that
// is not there, a game that cannot be named, a play that cannot be placed. The first thing that is wrong is named, by its JSON pointer. What
// is merely unknown — action keys, statuses, statistics — is no fault. Total: a member of what is no object is not there.

import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { League } from '../../units.ts';
import type { MsfFeed } from '../types.ts';
import { valueAt } from '../values.ts';
import { type GameForm, lackingIn } from './game-object.ts';
import { isMisplaced, placePlays, playListOf } from './play-places.ts';

export type BadBody = { readonly pointer: string; readonly detail: string };

/** How a feed's body is made up: of one game, of entries that are each of a game, or of a league. */
export type FeedForm =
  | { kind: 'game' }
  | { kind: 'entries'; list: 'games' | 'gamelogs'; game: 'schedule' | 'game'; form: GameForm }
  | { kind: 'league' }
  | { kind: 'quotes' };

const gamelogs: FeedForm = { kind: 'entries', list: 'gamelogs', game: 'game', form: 'gamelog' };

export const feedForms: { readonly [Feed in MsfFeed]: FeedForm } = {
  games: { kind: 'entries', list: 'games', game: 'schedule', form: 'whole' },
  boxscore: { kind: 'game' },
  playbyplay: { kind: 'game' },
  lineup: { kind: 'game' },
  player_gamelogs: gamelogs,
  team_gamelogs: gamelogs,
  injuries: { kind: 'league' },
  players: { kind: 'league' },
  odds_gamelines: { kind: 'quotes' },
};

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
  if (feedForms[feed].kind === 'game') return gameProblem(valueAt(body, 'game'), '/game', 'whole');
  return feed === 'injuries' ? wrappedProblem(valueAt(body, 'players')) : null;
}

/** What is wrong with the plays of a body that is otherwise good. */
export function playsProblem(league: League, body: JsonValue): BadBody | null {
  const placed = placePlays(league, body);
  return isMisplaced(placed) ? placed : null;
}

/** What is wrong with the entry at `pointer` of a feed whose body is a list of entries. */
export function entryProblem(feed: MsfFeed, entry: JsonValue, pointer: string): BadBody | null {
  const form = feedForms[feed];
  if (form.kind !== 'entries') return null;
  const problem = gameProblem(valueAt(entry, form.game), `${pointer}/${form.game}`, form.form);
  if (problem !== null || form.list === 'games') return problem;
  if (!isJsonObject(valueAt(entry, 'stats'))) return { pointer: `${pointer}/stats`, detail: 'no object' };
  const isOfPlayer = isJsonObject(valueAt(entry, 'player'));
  if (isOfPlayer === (feed === 'player_gamelogs')) return null;
  return { pointer: `${pointer}/player`, detail: isOfPlayer ? "a player's log among those of teams" : 'no object' };
}

function gameProblem(game: JsonValue, pointer: string, form: GameForm): BadBody | null {
  const lacking = lackingIn(game, form);
  return lacking === null ? null : { pointer: `${pointer}/${lacking.member}`, detail: lacking.detail };
}

/** The lists that tell a feed's bodies from those of others. */
export function listsOf(feed: MsfFeed, league: League): readonly (readonly string[])[] {
  switch (feed) {
    case 'playbyplay':
      return [[playListOf(league)]];
    case 'boxscore':
      return [
        ['stats', 'away', 'players'],
        ['stats', 'home', 'players'],
      ];
    case 'lineup':
      return [['teamLineups']];
    case 'injuries':
    case 'players':
      return [['players']];
    case 'odds_gamelines':
      return [['gameLines']];
    default:
      return [[feed === 'games' ? 'games' : 'gamelogs']];
  }
}

/** Only the feed `players` wraps each player in an object of its own: taken for injuries, its body would say that nobody is injured. */
function wrappedProblem(players: JsonValue): BadBody | null {
  const wrapped = isJsonArray(players) ? players.findIndex((each) => isJsonObject(valueAt(each, 'player'))) : -1;
  return wrapped < 0 ? null : { pointer: `/players/${wrapped}/player`, detail: 'an entry of the feed players' };
}

/** Whether all names and texts in a value are Unicode: no surrogate stands alone. */
export function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (isJsonArray(value)) return value.every(isWellFormed);
  if (!isJsonObject(value)) return true;
  for (const name of Object.keys(value)) if (!name.isWellFormed() || !isWellFormed(value[name] ?? null)) return false;
  return true;
}
