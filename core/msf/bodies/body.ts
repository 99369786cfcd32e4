// Splits a body of MySportsFeeds into one observation per scope (docs/revisions.md#observations; docs/revisions.md#feeds-and-datasets,
// Element and bad-body). Pure, and never throws: each part of any JSON becomes an observation, a refusal with a pointer, or game lines,
// which are folded as quotes.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Task } from '../../scheduling/task.ts';
import type { EntriesForm, FeedForm } from '../feeds/feed.ts';
import { descriptorOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { int64Of, listOf, objectOf, valueAt } from '../values.ts';
import { type BadBody, bodyProblem, entryProblem } from './bad-body.ts';
import { elementOf } from './element.ts';
import { EntriesByGame } from './entries-by-game.ts';
import { gameOf, type MsfGame } from './game-object.ts';

/** `game`: the route's `game=` parameter. `isUnicode`: whether all text of the body is valid Unicode, if known. */
export type MsfBody = { league: League; feed: MsfFeed; game: string | null; body: JsonValue; isUnicode?: boolean };

/** `msfGameId` null: the league's scope. `game` null: the observation is of a league, or of a game whose object the body lacks. */
type SplitObservation = { msfGameId: number | null; game: MsfGame | null; element: JsonObject };

/** The code of each refusal is `bad-body`. */
export type SplitBody = { observations: readonly SplitObservation[]; refusals: readonly BadBody[] };

/** The observations of a body, in its order, and its faults. A sound body of `odds_gamelines` gives neither. */
export function* splittingBody({ league, feed, game, body, isUnicode }: MsfBody): Task<SplitBody> {
  const problem = bodyProblem(feed, league, body, isUnicode);
  yield;
  if (problem !== null) return refused(problem);
  const whole = objectOf(body) ?? {};
  const { form } = descriptorOf(feed);
  switch (form.kind) {
    case 'game':
      return splitGame(form, league, game, whole);
    case 'entries':
      return yield* splitEntries(form, game, whole);
    case 'league':
      return { observations: [{ msfGameId: null, game: null, element: elementOf(whole) }], refusals: [] };
    case 'game-lines':
      return { observations: [], refusals: [] };
  }
}

/**
 * Why the element of a record cannot be applied; null if it can. It is refused for the same faults as a body, and if it is not of the
 * record's scope alone. `isUnicode`: as far as known. docs/revisions.md#bad-bodies.
 */
export function elementRefusal(
  feed: MsfFeed,
  league: League,
  msfGameId: number | null,
  element: JsonValue,
  isUnicode?: boolean,
): BadBody | null {
  const problem = bodyProblem(feed, league, element, isUnicode);
  if (problem !== null) return problem;
  const { form } = descriptorOf(feed);
  switch (form.kind) {
    case 'game':
      return otherGame(element, ['game', 'id'], msfGameId) ?? form.problem?.(league, element) ?? null;
    case 'entries': {
      if (msfGameId === null) return { pointer: '', detail: 'of no game' };
      for (const [index, entry] of listOf(valueAt(element, form.list)).entries()) {
        const wrong =
          entryProblem(form, entry, `/${form.list}/${index}`) ??
          otherGame(element, [form.list, index, form.game, 'id'], msfGameId);
        if (wrong !== null) return wrong;
      }
      return null;
    }
    case 'league':
      return null;
    case 'game-lines':
      return { pointer: '', detail: 'lines are no observation' };
  }
}

type GameForm = Extract<FeedForm, { kind: 'game' }>;

function splitGame(form: GameForm, league: League, sentFor: string | null, body: JsonObject): SplitBody {
  const game = gameOf(valueAt(body, 'game'), 'whole');
  const wrong =
    (sentFor !== null && isNumeric(sentFor) ? otherGame(body, ['game', 'id'], Number(sentFor)) : null) ??
    form.problem?.(league, body) ??
    null;
  if (wrong !== null || game === null) return refused(wrong ?? { pointer: '/game', detail: 'no game' });
  return { observations: [{ msfGameId: game.id, game, element: elementOf(body) }], refusals: [] };
}

/** Entries or games checked in one step. */
const entriesOfStep = 64;

function* splitEntries(form: EntriesForm, sentFor: string | null, body: JsonObject): Task<SplitBody> {
  const all = listOf(valueAt(body, form.list));
  if (all.length === 0) {
    const msfGameId = sentFor !== null && isNumeric(sentFor) ? int64Of(Number(sentFor)) : null;
    return {
      observations: msfGameId === null ? [] : [{ msfGameId, game: null, element: elementOf(body) }],
      refusals: [],
    };
  }
  const refusals: BadBody[] = [];
  const byGame = new EntriesByGame<JsonValue>(form);
  for (const [index, entry] of all.entries()) {
    if (index % entriesOfStep === entriesOfStep - 1) yield;
    const problem = byGame.add(entry, index, (kept) => kept);
    if (problem !== null) refusals.push(problem);
  }
  const observations: SplitObservation[] = [];
  for (const [msfGameId, { game, kept }] of byGame.games) {
    observations.push({ msfGameId, game, element: elementOf(body, form.list, kept) });
    if (observations.length % entriesOfStep === 0) yield;
  }
  return { observations, refusals };
}

/** The fault of a body whose game is not `sentFor`. */
function otherGame(body: JsonValue, path: readonly (string | number)[], sentFor: number | null): BadBody | null {
  const id = int64Of(valueAt(body, ...path));
  return id === sentFor ? null : { pointer: `/${path.join('/')}`, detail: 'not the game that it was sent for' };
}

function isNumeric(game: string): boolean {
  return /^[0-9]+$/.test(game);
}

function refused(problem: BadBody): SplitBody {
  return { observations: [], refusals: [problem] };
}
