// Converts native events (docs/quotes.md#the-native-event) into observations. Never throws: a bad element costs only itself.
import { whyNotLeague, whyNotOperator } from '../../core/access/feed-grant.ts';
import { isPublicId } from '../../core/games/public-id.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../core/json/value.ts';
import { isLeague } from '../../core/league-code.ts';
import type { GameLookup } from '../../core/ports/catalog/games.ts';
import { isMarketName, operatorCodeOf } from '../../core/quotes/name-forms.ts';
import { maxQuotes } from '../../core/quotes/normalise-observation.ts';
import { plausibleTime } from '../../core/quotes/plausible-time.ts';
import type { NormalObservation } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';
import type { RawQuote } from '../../schemas/events/quotes.ts';
import { inWords, leagues } from '../../schemas/reference/leagues.ts';
import type { AdaptedElement, AdaptedPush, ElementFrame, PushContext } from './adapted.ts';
import {
  adaptElements,
  adaptList,
  commenceTimeForm,
  identifying,
  maxElementBytes,
  nameForm,
  readName,
  readSourceTime,
  readTime,
  refuse,
  type WrongEvent,
} from './element.ts';
import { openingJsonBody, parsingJsonElement } from './json-body.ts';
import { mustBe } from './must-be.ts';
import { type BodyLine, splitLines } from './ndjson.ts';
import type { GameWords } from './quote-warnings.ts';
import {
  acceptingOperators,
  addQuote,
  isKeepable,
  type MemberNames,
  numberOrWord,
  quotesOfStep,
  type ReadOperator,
  readPrice,
  textOrEmpty,
  type WrongShape,
} from './read-quotes.ts';

/** A body of native events: `{"events":[…]}`, or one event per line. */
export function adaptNativePush(body: Uint8Array, form: 'json' | 'ndjson', context: PushContext): Task<AdaptedPush> {
  return form === 'json' ? adaptJson(body, context) : adaptLines(body, context);
}

function* adaptJson(body: Uint8Array, context: PushContext): Task<AdaptedPush> {
  const opened = yield* openingJsonBody(body, ['events'], { bytes: maxElementBytes });
  if (opened.kind === 'malformed') return opened;
  const events = isJsonObject(opened.value) ? memberOf(opened.value, 'events') : null;
  if (!isJsonArray(events)) return { kind: 'malformed', detail: 'the body has no array "events"' };
  return yield* adaptList(opened, events, (event, frame) => adaptEvent(event, frame, context));
}

function* adaptLines(body: Uint8Array, context: PushContext): Task<AdaptedPush> {
  const lines = yield* splitLines(body);
  return yield* adaptElements(lines.length, (index) => adaptLine(body, lines[index] as BodyLine, index, context));
}

function* adaptLine(
  body: Uint8Array,
  { line, start, end }: BodyLine,
  index: number,
  context: PushContext,
): Task<AdaptedElement> {
  const frame = { index, start, end, sha256: null };
  if (end - start > maxElementBytes) return tooLarge(frame, `more than ${maxElementBytes} bytes`);
  const parsed = yield* parsingJsonElement(body.subarray(start, end));
  if (parsed.kind === 'malformed') return refuse(frame, 'bad-event', '', `line ${line} of the body: ${parsed.detail}`);
  return yield* adaptEvent(parsed.value, frame, context);
}

/** One event; it is refused whole with the first code of docs/quotes.md that applies. */
function* adaptEvent(event: JsonValue, frame: ElementFrame, context: PushContext): Task<AdaptedElement> {
  if (frame.end - frame.start > maxElementBytes) return tooLarge(frame, `more than ${maxElementBytes} bytes`);
  const quotes = isJsonObject(event) ? memberOf(event, 'quotes') : null;
  if (isJsonArray(quotes) && quotes.length > maxQuotes) return tooLarge(frame, `more than ${maxQuotes} quotes`);

  const read = readEvent(event);
  if ('badAt' in read) return refuse(frame, 'bad-event', read.badAt, read.detail);
  const gameId = namedGame(read.game);
  const league = read.game.by === 'id' ? null : whyNotLeague(context.may, read.game.league);
  if (league !== null) return refuse(frame, 'forbidden-league', '/game/league', league);
  const operator = memberOf(read.event, 'operator');
  const code = typeof operator === 'string' ? operatorCodeOf(operator) : null;
  if (code === null) {
    const detail = mustBe(read.event, 'operator', '1 to 32 of A-Z, 0-9 and _, in any case', eventMembers);
    return { ...refuse(frame, 'bad-operator', '/operator', detail), gameId };
  }
  const forbidden = whyNotOperator(context.may, code);
  if (forbidden !== null) return { ...refuse(frame, 'forbidden-operator', '/operator', forbidden), gameId };
  const time = readSourceTime(memberOf(read.event, 'observed_at'), '/observed_at', context);
  if ('refusal' in time) return { ...frame, kind: 'refused', refusals: [time.refusal], gameId };

  const entry: ReadOperator = { operator: code, pointer: '/operator', quotes: [], pointers: [], wrong: new Map() };
  for (const [index, quote] of read.quotes.entries()) {
    if (index % quotesOfStep === quotesOfStep - 1) yield;
    addQuote(entry, `/quotes/${index}`, readQuote(quote));
  }
  const { operators, refusals, warnings } = yield* acceptingOperators([entry], read.kind, {
    names: memberNames,
    may: context.may,
    game: wordsOf(read.game),
    strict: context.strict === true,
  });
  const identity = yield* identifying(event, frame, context);
  return {
    ...frame,
    kind: 'accepted',
    sha256: identity.sha256,
    observation: {
      kind: read.kind,
      scope: 'operator',
      observed_at: time.observedAt,
      ...identity,
      commence_time: read.commenceTime,
      in_play: read.inPlay,
      coverage: read.markets?.filter(isMarketName).map((market) => ({ market, period: null, alternate: null })) ?? null,
      covered_operators: null,
      operators,
    },
    game: read.game,
    refusals,
    warnings,
  };
}

function wordsOf(game: GameLookup): GameWords {
  if (game.by === 'event') return { league: game.league, home: game.homeTeam, away: game.awayTeam };
  const id = game.gameId.toUpperCase();
  return { league: isPublicId(id) ? id.slice(0, id.indexOf('_')) : null, home: null, away: null };
}

function namedGame(game: GameLookup): string | null {
  return game.by === 'id' ? game.gameId : null;
}

type ReadEvent = {
  event: JsonObject;
  kind: NormalObservation['kind'];
  game: GameLookup;
  commenceTime: Micros | null;
  inPlay: boolean | null;
  /** Markets that an image covers; null: all. */
  markets: readonly string[] | null;
  quotes: readonly JsonValue[];
};

function readEvent(event: JsonValue): ReadEvent | WrongEvent {
  if (!isJsonObject(event)) return { badAt: '', detail: 'an event must be an object, and nest at most 32 levels' };
  const kind = memberOf(event, 'kind');
  if (kind !== 'image' && kind !== 'delta' && kind !== 'heartbeat') {
    return { badAt: '/kind', detail: mustBe(event, 'kind', 'image, delta or heartbeat', eventMembers) };
  }
  const given = memberOf(event, 'game');
  if (!isJsonObject(given)) return { badAt: '/game', detail: mustBe(event, 'game', 'an object', eventMembers) };
  const game = readGame(given);
  if ('badAt' in game) return game;
  const inPlay = memberOf(event, 'in_play');
  if (inPlay !== null && typeof inPlay !== 'boolean')
    return { badAt: '/in_play', detail: 'in_play must be true or false, or be left out' };
  const markets = memberOf(event, 'markets');
  if (markets !== null && !isTextList(markets))
    return { badAt: '/markets', detail: 'markets must be an array of names, or be left out for all' };
  const quotes = memberOf(event, 'quotes') ?? (kind === 'heartbeat' ? [] : null);
  if (!isJsonArray(quotes)) return { badAt: '/quotes', detail: mustBe(event, 'quotes', 'an array', eventMembers) };
  if (kind === 'heartbeat' && quotes.length > 0)
    return { badAt: '/quotes', detail: 'a heartbeat has no quotes: send an image or a delta' };
  return { event, kind, ...game, inPlay, markets: kind === 'image' ? markets : null, quotes };
}

function readGame(game: JsonObject): Pick<ReadEvent, 'game' | 'commenceTime'> | WrongEvent {
  const wrong = (name: string, what: string): WrongEvent => {
    return { badAt: `/game/${name}`, detail: mustBe(game, name, what, gameMembers) };
  };
  const start = memberOf(game, 'commence_time');
  const commenceTime = plausibleTime(readTime(start));
  if (start !== null && commenceTime === null) return wrong('commence_time', commenceTimeForm);
  const given = memberOf(game, 'game_id');
  if (given !== null) {
    const gameId = readName(given);
    if (gameId === null) return wrong('game_id', `the id of a game, of ${nameForm}`);
    return { game: { by: 'id', gameId }, commenceTime };
  }
  const league = memberOf(game, 'league');
  if (typeof league !== 'string' || !isLeague(league)) return wrong('league', inWords(leagues, 'or'));
  const eventId = readName(memberOf(game, 'event_id'));
  if (eventId === null) return wrong('event_id', `your own id of the game, of ${nameForm}`);
  const homeTeam = readName(memberOf(game, 'home_team'));
  if (homeTeam === null) return wrong('home_team', `a name of ${nameForm}`);
  const awayTeam = readName(memberOf(game, 'away_team'));
  if (awayTeam === null) return wrong('away_team', `a name of ${nameForm}`);
  if (commenceTime === null) return wrong('commence_time', commenceTimeForm);
  return { game: { by: 'event', league, eventId, homeTeam, awayTeam, commenceTime }, commenceTime };
}

/** Whether the value is a list of strings. Strings that are not market names cover nothing. */
function isTextList(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every((name) => typeof name === 'string');
}

/** A quote as written, unless its shape is wrong. */
function readQuote(quote: JsonValue): RawQuote | WrongShape {
  if (!isJsonObject(quote)) return { member: null, detail: 'a quote must be an object' };
  for (const [name, what] of neededOfQuote)
    if (memberOf(quote, name) === null) return { member: name, detail: mustBe(quote, name, what, quoteMembers) };
  const alternate = memberOf(quote, 'alternate') ?? false;
  if (typeof alternate !== 'boolean')
    return { member: 'alternate', detail: 'alternate must be true or false, or be left out' };
  const playerId = memberOf(quote, 'player_id');
  if (playerId !== null && typeof playerId !== 'string')
    return { member: 'player_id', detail: 'player_id must be a string, or be left out' };
  const stamp = memberOf(quote, 'source_timestamp');
  const stamped = readTime(stamp);
  if (stamp !== null && stamped === null) {
    return {
      member: 'source_timestamp',
      detail: 'source_timestamp must be RFC 3339, as 2026-11-24T18:05:00Z, or be left out',
    };
  }
  const state = textOrEmpty(memberOf(quote, 'state'));
  return {
    market: textOrEmpty(memberOf(quote, 'market')) ?? '',
    period: textOrEmpty(memberOf(quote, 'period')),
    selection: textOrEmpty(memberOf(quote, 'selection')) ?? '',
    player: textOrEmpty(memberOf(quote, 'player')),
    // No canonical player id is longer; an unresolvable id becomes null (docs/quotes.md#selection-identity).
    player_id: playerId !== null && isKeepable(playerId) ? playerId : null,
    line: numberOrWord(memberOf(quote, 'line')),
    alternate,
    ...readPrice(state === 'withdrawn' ? null : memberOf(quote, 'price')),
    state,
    source_timestamp: plausibleTime(stamped),
  };
}

const gameMembers = ['game_id', 'league', 'event_id', 'home_team', 'away_team', 'commence_time'];
const eventMembers = ['kind', 'operator', 'game', 'observed_at', 'in_play', 'markets', 'quotes'];
const quoteMembers = [
  ...['market', 'period', 'selection', 'player', 'player_id', 'line', 'alternate', 'price', 'state'],
  'source_timestamp',
];
const neededOfQuote = [
  ['market', 'a name, as moneyline, spread, total or player_points'],
  ['selection', 'a text, as home, away, over or under'],
] as const;

const memberNames: MemberNames = {
  market: 'market',
  period: 'period',
  selection: 'selection',
  player: 'player',
  state: 'state',
  price: 'price',
  line: 'line',
};

function tooLarge(frame: ElementFrame, detail: string): AdaptedElement {
  return refuse(frame, 'too-large', '', detail);
}
