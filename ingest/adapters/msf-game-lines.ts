// Converts MSF's `odds_gamelines` into quotes (docs/revisions.md#feeds-and-datasets): the body has the history of the lines that a
// sportsbook moved. All entries of one sportsbook, game and `asOfTime` become one source-timed delta, and the deltas of a sportsbook are
// ordered by time, because the fold accepts nothing older than what it has. Never throws: a fault costs its own line, entry, sportsbook or
// game. Pointers are relative to the body, which the sender knows, not to the delta, which it does not.
import { type PushGrant, whyNotOperator } from '../../core/access/feed-grant.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../core/json/value.ts';
import { gameEventId } from '../../core/msf/ids.ts';
import { int64Of, listOf, textOf, valueAt } from '../../core/msf/values.ts';
import type { GameLookup } from '../../core/ports/catalog/games.ts';
import { operatorCodeOf } from '../../core/quotes/name-forms.ts';
import { maxQuotes } from '../../core/quotes/normalise-observation.ts';
import { plausibleTime } from '../../core/quotes/plausible-time.ts';
import { sourceTimeRefusal } from '../../core/quotes/source-time.ts';
import type { QuoteRefusal } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { AdaptedElement, AdaptedPush, ElementFrame, PushContext } from './adapted.ts';
import type { AcceptedElement } from './decide-elements.ts';
import { adaptElements, identifying, maxElementBytes, readName, readTime, type WrongEvent } from './element.ts';
import { jsonText } from './json-text.ts';
import { type Line, type LineKind, lineKinds, readLines } from './msf-lines.ts';
import { acceptingOperators, addQuote, type ReadOperator } from './read-quotes.ts';

type LinedGame = Extract<GameLookup, { by: 'event' }>;

/** The entries of one sportsbook in one game, in body order, by the time from which they applied. */
type History = { game: LinedGame; operator: string; pointer: string; moments: Map<Micros, Moment> };
type Moment = Entry[];
/** Its lines are read when its delta is made: the lines of a whole body would take more memory than the body. */
type Entry = { value: JsonValue; book: string; kind: LineKind; index: number };

/** A delta whose index and bytes are not known yet: refused, or one moment of a history. */
type Found = Refused | MomentOf;
type Refused = { value: JsonValue; refusal: QuoteRefusal };
type MomentOf = { history: History; at: Micros; moment: Moment };

/** The deltas of a body with the array `gameLines`. `league`: that of the route. */
export function* adaptGameLines(body: JsonValue, league: League, context: PushContext): Task<AdaptedPush> {
  const reading = new Reading(league, context.may);
  for (const [index, entry] of listOf(valueAt(body, 'gameLines')).entries()) {
    yield;
    reading.readGame(index, entry);
  }
  const pieces: Buffer[] = [];
  let end = 0;
  const all = reading.found();
  const adapted = yield* adaptElements(all.length, function* (index): Task<AdaptedElement> {
    const found = all[index] as Found;
    const bytes = Buffer.from(jsonText('refusal' in found ? found.value : valuesOf(found)));
    pieces.push(bytes);
    const frame = { index, start: end, end: end + bytes.length, sha256: null };
    end = frame.end;
    if ('refusal' in found) return { ...frame, kind: 'refused', refusals: [found.refusal], gameId: null };
    const lines = linesOf(found);
    const refusal = momentRefusal(found, lines, bytes.length, context.receivedAt);
    if (refusal !== null) return { ...frame, kind: 'refused', refusals: [refusal], gameId: null };
    return { ...frame, ...(yield* deltaOf(found, lines, frame, context)) };
  });
  return { ...adapted, bytes: Buffer.concat(pieces, end) };
}

function valuesOf({ moment }: MomentOf): JsonValue[] {
  return moment.map(({ value }) => value);
}

function linesOf({ at, moment }: MomentOf): Line[] {
  return moment.flatMap((entry) => readLines(entry.kind, entry.value, pointerOf(entry), at));
}

function pointerOf({ book, kind, index }: Entry): string {
  return `${book}/${kind.list}/${index}`;
}

/** Why a delta is refused whole, checked in the order of docs/quotes.md. */
function momentRefusal(
  { history, at }: MomentOf,
  lines: readonly Line[],
  size: number,
  receivedAt: Micros,
): QuoteRefusal | null {
  const { pointer } = history;
  if (size > maxElementBytes) return { code: 'too-large', pointer, detail: `more than ${maxElementBytes} bytes` };
  if (lines.length > maxQuotes) return { code: 'too-large', pointer, detail: `more than ${maxQuotes} quotes` };
  return sourceTimeRefusal(at, receivedAt, `${lines[0]?.entry ?? pointer}/asOfTime`);
}

type Delta = Omit<AcceptedElement, keyof ElementFrame> & { sha256: string };

function* deltaOf(found: MomentOf, lines: readonly Line[], frame: ElementFrame, context: PushContext): Task<Delta> {
  const { history, at } = found;
  const { operator, pointer, game } = history;
  const read: ReadOperator = { operator, pointer, quotes: [], pointers: [], wrong: new Map() };
  for (const line of lines) addQuote(read, line.pointer, line.read);
  const terms = { names: {}, may: context.may, game: null, strict: false };
  const { operators, refusals } = yield* acceptingOperators([read], 'delta', terms);
  const identity = yield* identifying(valuesOf(found), frame, context);
  return {
    kind: 'accepted',
    sha256: identity.sha256,
    observation: {
      kind: 'delta',
      scope: 'operator',
      observed_at: at,
      ...identity,
      commence_time: game.commenceTime,
      in_play: null,
      history: true,
      coverage: null,
      covered_operators: null,
      operators,
    },
    game,
    refusals,
    warnings: [],
  };
}

class Reading {
  readonly #league: League;
  readonly #may: PushGrant;
  readonly #histories = new Map<string, History>();
  readonly #refused: Found[] = [];

  constructor(league: League, may: PushGrant) {
    this.#league = league;
    this.#may = may;
  }

  /** The faults, in body order, and then the moments of each history, oldest first. */
  found(): Found[] {
    const found = [...this.#histories.values()].flatMap((history) =>
      [...history.moments].sort(([a], [b]) => a - b).map(([at, moment]): Found => ({ history, at, moment })),
    );
    return [...this.#refused, ...found];
  }

  readGame(index: number, entry: JsonValue): void {
    const pointer = `/gameLines/${index}`;
    const game = gameOf(this.#league, valueAt(entry, 'game'));
    const books = valueAt(entry, 'lines');
    if ('badAt' in game) this.#refuse(entry, 'bad-event', `${pointer}/game/${game.badAt}`, game.detail);
    else if (!isJsonArray(books)) this.#refuse(entry, 'bad-event', `${pointer}/lines`, 'no array');
    else for (const [at, book] of books.entries()) this.#readBook(game, `${pointer}/lines/${at}`, book);
  }

  #readBook(game: LinedGame, pointer: string, book: JsonValue): void {
    const name = textOf(valueAt(book, 'source', 'name'));
    const operator = name === null ? null : operatorCodeOf(name);
    if (operator === null) {
      this.#refuse(book, 'bad-operator', `${pointer}/source/name`, 'no name of [A-Z0-9_]{1,32} in upper case');
      return;
    }
    const forbidden = whyNotOperator(this.#may, operator);
    if (forbidden !== null) {
      this.#refuse(book, 'forbidden-operator', `${pointer}/source/name`, forbidden);
      return;
    }
    const { asList, others } = listsIn(book);
    for (const member of others) {
      // Only the member, not its sportsbook: thousands of members would repeat the sportsbook thousands of times.
      this.#refuse(valueAt(book, member), 'bad-event', `${pointer}/${member}`, 'lines of a form that is not known');
    }
    const history = this.#historyOf(game, operator, pointer);
    for (const kind of lineKinds) {
      for (const [index, value] of (asList.get(kind.list) ?? []).entries()) {
        this.#readEntry(history, { value, book: pointer, kind, index });
      }
    }
  }

  #historyOf(game: LinedGame, operator: string, pointer: string): History {
    const key = `${game.eventId} ${operator}`;
    const history = this.#histories.get(key) ?? { game, operator, pointer, moments: new Map() };
    this.#histories.set(key, history);
    return history;
  }

  #readEntry({ moments }: History, entry: Entry): void {
    const { value } = entry;
    const at = readTime(valueAt(value, 'asOfTime'));
    if (at === null) {
      this.#refuse(value, 'bad-time', `${pointerOf(entry)}/asOfTime`, 'no RFC 3339 time with a zone');
      return;
    }
    const moment = moments.get(at) ?? [];
    moments.set(at, moment);
    moment.push(entry);
  }

  #refuse(value: JsonValue, code: QuoteRefusal['code'], pointer: string, detail: string): void {
    this.#refused.push({ value, refusal: { code, pointer, detail } });
  }
}

/** The lists of a sportsbook that can be read, and the members that should be lists or are of an unknown kind. */
function listsIn(book: JsonValue): { asList: ReadonlyMap<string, readonly JsonValue[]>; others: readonly string[] } {
  const asList = new Map<string, readonly JsonValue[]>();
  const others: string[] = [];
  const known = new Set<string>(lineKinds.map(({ list }) => list));
  for (const [member, value] of Object.entries(isJsonObject(book) ? book : {})) {
    if (!isJsonArray(value)) {
      if (known.has(member) && value !== null) others.push(member);
    } else if (known.has(member)) asList.set(member, value);
    else if (value.length > 0) others.push(member);
  }
  return { asList, others };
}

/** The game of an entry, or the required member that it lacks. */
function gameOf(league: League, game: JsonValue): LinedGame | WrongEvent {
  const id = int64Of(valueAt(game, 'id'));
  if (id === null) return { badAt: 'id', detail: 'no integer' };
  const commenceTime = plausibleTime(readTime(valueAt(game, 'startTime')));
  if (commenceTime === null) return { badAt: 'startTime', detail: 'no RFC 3339 time with a zone, from 1970 to 2199' };
  const [awayTeam, homeTeam] = [sideOf(game, 'away'), sideOf(game, 'home')];
  if (awayTeam === null) return { badAt: 'awayTeamAbbreviation', detail: 'no name' };
  if (homeTeam === null) return { badAt: 'homeTeamAbbreviation', detail: 'no name' };
  return { by: 'event', league, eventId: gameEventId(league, id), awayTeam, homeTeam, commenceTime };
}

function sideOf(game: JsonValue, side: 'away' | 'home'): string | null {
  return readName(valueAt(game, `${side}TeamAbbreviation`)) ?? readName(valueAt(game, `${side}Team`, 'abbreviation'));
}
