// Native events (docs/quotes.md#the-native-event) into observations. Total: whatever an element holds, it costs itself at most.
import { whyNotLeague, whyNotOperator } from '../../core/access/feed-grant.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../core/json/value.ts';
import { isLeague } from '../../core/leagues.ts';
import type { GameReference } from '../../core/ports/catalog/games.ts';
import { isMarketName, operatorCodeOf } from '../../core/quotes/names.ts';
import { maxQuotes } from '../../core/quotes/normalise-observation.ts';
import { plausibleTime } from '../../core/quotes/plausible-time.ts';
import type { NormalObservation } from '../../core/quotes/types.ts';
import type { Steps } from '../../core/steps.ts';
import type { Micros } from '../../core/units.ts';
import type { RawQuote } from '../../schemas/events/quotes.ts';
import type { AdaptedElement, AdaptedPush, ElementFrame, PushContext } from './adapted.ts';
import {
  adaptElements,
  adaptList,
  identifying,
  maxElementBytes,
  noCommenceTime,
  readName,
  readSourceTime,
  readTime,
  refuse,
  type WrongEvent,
} from './element.ts';
import { openingJsonBody, parsingJsonElement } from './json-body.ts';
import { type BodyLine, splitLines } from './ndjson.ts';
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

/** A body of native events: `{"events":[…]}`, or one event a line. */
export function adaptNativePush(body: Uint8Array, form: 'json' | 'ndjson', context: PushContext): Steps<AdaptedPush> {
  return form === 'json' ? adaptJson(body, context) : adaptLines(body, context);
}

function* adaptJson(body: Uint8Array, context: PushContext): Steps<AdaptedPush> {
  const opened = yield* openingJsonBody(body, ['events'], { bytes: maxElementBytes });
  if (opened.kind === 'malformed') return opened;
  const events = isJsonObject(opened.value) ? memberOf(opened.value, 'events') : null;
  if (!isJsonArray(events)) return { kind: 'malformed', detail: 'the body has no array "events"' };
  return yield* adaptList(opened, events, (event, frame) => adaptEvent(event, frame, context));
}

function* adaptLines(body: Uint8Array, context: PushContext): Steps<AdaptedPush> {
  const lines = yield* splitLines(body);
  return yield* adaptElements(lines.length, (index) => adaptLine(body, lines[index] as BodyLine, index, context));
}

function* adaptLine(
  body: Uint8Array,
  { line, start, end }: BodyLine,
  index: number,
  context: PushContext,
): Steps<AdaptedElement> {
  const frame = { index, start, end, sha256: null };
  if (end - start > maxElementBytes) return tooLarge(frame, `more than ${maxElementBytes} bytes`);
  const parsed = yield* parsingJsonElement(body.subarray(start, end));
  if (parsed.kind === 'malformed') return refuse(frame, 'bad-event', '', `line ${line} of the body: ${parsed.detail}`);
  return yield* adaptEvent(parsed.value, frame, context);
}

/** One event; the first of the codes of docs/quotes.md that applies refuses it whole. */
function* adaptEvent(event: JsonValue, frame: ElementFrame, context: PushContext): Steps<AdaptedElement> {
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
    const detail = 'operator is not of [A-Z0-9_]{1,32} in upper case';
    return { ...refuse(frame, 'bad-operator', '/operator', detail), gameId };
  }
  const forbidden = whyNotOperator(context.may, code);
  if (forbidden !== null) return { ...refuse(frame, 'forbidden-operator', '/operator', forbidden), gameId };
  const time = readSourceTime(memberOf(read.event, 'observed_at'), '/observed_at', context);
  if ('refusal' in time) return { ...frame, kind: 'refused', refusal: time.refusal, gameId };

  const entry: ReadOperator = { operator: code, pointer: '/operator', quotes: [], pointers: [], wrong: new Map() };
  for (const [index, quote] of read.quotes.entries()) {
    if (index % quotesOfStep === quotesOfStep - 1) yield;
    addQuote(entry, `/quotes/${index}`, readQuote(quote));
  }
  const { operators, refusals } = yield* acceptingOperators([entry], read.kind, memberNames, context.may);
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
  };
}

function namedGame(game: GameReference): string | null {
  return game.by === 'id' ? game.gameId : null;
}

type ReadEvent = {
  event: JsonObject;
  kind: NormalObservation['kind'];
  game: GameReference;
  commenceTime: Micros | null;
  inPlay: boolean | null;
  /** Coverage of an image; null: everything. */
  markets: readonly string[] | null;
  quotes: readonly JsonValue[];
};

function readEvent(event: JsonValue): ReadEvent | WrongEvent {
  if (!isJsonObject(event)) return { badAt: '', detail: 'the event is no object, or nests too deep' };
  const kind = memberOf(event, 'kind');
  if (kind !== 'image' && kind !== 'delta' && kind !== 'heartbeat') {
    return { badAt: '/kind', detail: 'kind is not image, delta or heartbeat' };
  }
  const game = readGame(memberOf(event, 'game'));
  if ('badAt' in game) return game;
  const inPlay = memberOf(event, 'in_play');
  if (inPlay !== null && typeof inPlay !== 'boolean') return { badAt: '/in_play', detail: 'in_play is no boolean' };
  const markets = memberOf(event, 'markets');
  if (markets !== null && !isTextList(markets)) return { badAt: '/markets', detail: 'markets is no array of names' };
  const quotes = memberOf(event, 'quotes') ?? (kind === 'heartbeat' ? [] : null);
  if (!isJsonArray(quotes)) return { badAt: '/quotes', detail: 'quotes is no array' };
  if (kind === 'heartbeat' && quotes.length > 0) return { badAt: '/quotes', detail: 'a heartbeat has no quotes' };
  return { event, kind, ...game, inPlay, markets: kind === 'image' ? markets : null, quotes };
}

function readGame(game: JsonValue): Pick<ReadEvent, 'game' | 'commenceTime'> | WrongEvent {
  if (!isJsonObject(game)) return { badAt: '/game', detail: 'game is no object' };
  const told = memberOf(game, 'commence_time');
  const commenceTime = plausibleTime(readTime(told));
  if (told !== null && commenceTime === null) {
    return { badAt: '/game/commence_time', detail: noCommenceTime };
  }
  const given = memberOf(game, 'game_id');
  if (given !== null) {
    const gameId = readName(given);
    if (gameId === null) return { badAt: '/game/game_id', detail: 'game_id is no id of a game' };
    return { game: { by: 'id', gameId }, commenceTime };
  }
  const league = memberOf(game, 'league');
  if (typeof league !== 'string' || !isLeague(league))
    return { badAt: '/game/league', detail: 'league is no league of ours' };
  const eventId = readName(memberOf(game, 'event_id'));
  if (eventId === null) return { badAt: '/game/event_id', detail: 'event_id is missing or no id' };
  const homeTeam = readName(memberOf(game, 'home_team'));
  if (homeTeam === null) return { badAt: '/game/home_team', detail: 'home_team is missing or no name' };
  const awayTeam = readName(memberOf(game, 'away_team'));
  if (awayTeam === null) return { badAt: '/game/away_team', detail: 'away_team is missing or no name' };
  if (commenceTime === null) return { badAt: '/game/commence_time', detail: 'commence_time is missing' };
  return { game: { by: 'event', league, eventId, homeTeam, awayTeam, commenceTime }, commenceTime };
}

/** Names, whatever they name: one that is no market covers nothing. */
function isTextList(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every((name) => typeof name === 'string');
}

/** A quote as it was written, unless its shape is wrong. */
function readQuote(quote: JsonValue): RawQuote | WrongShape {
  if (!isJsonObject(quote)) return { member: null, detail: 'the quote is no object' };
  const alternate = memberOf(quote, 'alternate') ?? false;
  if (typeof alternate !== 'boolean') return { member: 'alternate', detail: 'alternate is no boolean' };
  const playerId = memberOf(quote, 'player_id');
  if (playerId !== null && typeof playerId !== 'string')
    return { member: 'player_id', detail: 'player_id is no string' };
  const stamp = memberOf(quote, 'source_timestamp');
  const stamped = readTime(stamp);
  if (stamp !== null && stamped === null) {
    return { member: 'source_timestamp', detail: 'source_timestamp is not RFC 3339' };
  }
  const state = textOrEmpty(memberOf(quote, 'state'));
  return {
    market: textOrEmpty(memberOf(quote, 'market')) ?? '',
    period: textOrEmpty(memberOf(quote, 'period')),
    selection: textOrEmpty(memberOf(quote, 'selection')) ?? '',
    player: textOrEmpty(memberOf(quote, 'player')),
    // No player has a longer id: one that cannot be resolved is null (docs/quotes.md#selection-identity).
    player_id: playerId !== null && isKeepable(playerId) ? playerId : null,
    line: numberOrWord(memberOf(quote, 'line')),
    alternate,
    ...readPrice(state === 'withdrawn' ? null : memberOf(quote, 'price')),
    state,
    source_timestamp: plausibleTime(stamped),
  };
}

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
