// Adapts The Odds API v4 (docs/quotes.md#the-odds-api): each element of its array becomes one image of scope *game*. Never throws: a bad
// element costs only itself.
import { type PushGrant, whyNotLeague } from '../../core/access/feed-grant.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../core/json/value.ts';
import { isMarketName, operatorCodeOf } from '../../core/quotes/name-forms.ts';
import { maxQuotes } from '../../core/quotes/normalise-observation.ts';
import { plausibleTime } from '../../core/quotes/plausible-time.ts';
import { americanForm, decimalForm } from '../../core/quotes/price.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';
import type { RawQuote } from '../../schemas/events/quotes.ts';
import { inWords, type League, leagues, leagueTable } from '../../schemas/reference/leagues.ts';
import type { AdaptedElement, AdaptedPush, ElementFrame, OddsApiQuery, PushContext } from './adapted.ts';
import {
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
import { openingJsonBody } from './json-body.ts';
import { mustBe } from './must-be.ts';
import { noMarket, type OddsApiMarket, oddsApiMarket } from './odds-api-market-keys.ts';
import {
  acceptingOperators,
  addQuote,
  isKeepable,
  type MemberNames,
  numberOrWord,
  quotesOfStep,
  type ReadOperator,
  type WrongShape,
} from './read-quotes.ts';

/** What the query says about the poll. */
export type PollTerms = {
  kind: 'terms';
  priceFormat: 'american' | 'decimal';
  /** Covered markets; null: all. */
  coverage: readonly OddsApiMarket[] | null;
  /** Covered sportsbooks, by code; null: all. */
  operators: readonly string[] | null;
};

/** Reads the query; `invalid` is a validation error of the request (400). */
export function readPollTerms(query: OddsApiQuery): PollTerms | { kind: 'invalid'; detail: string } {
  const priceFormat = query.oddsFormat ?? 'american';
  if (priceFormat !== 'american' && priceFormat !== 'decimal') {
    return { kind: 'invalid', detail: 'odds_format must be american or decimal' };
  }
  const coverage =
    listed(query.markets)
      ?.map(oddsApiMarket)
      .filter(({ market }) => isMarketName(market)) ?? null;
  const operators =
    listed(query.bookmakers)
      ?.map(operatorCodeOf)
      .filter((code) => code !== null) ?? null;
  return { kind: 'terms', priceFormat, coverage, operators };
}

/** The keys of a list in the query; callers drop those that are not valid, which cover nothing. */
function listed(keys: string | null): string[] | null {
  return keys === null ? null : keys.split(',').map((key) => key.trim());
}

/** Longer than any RFC 3339 time in practice. */
const longestTime = 64;

/** A body of The Odds API v4: the provider's array of events, or its historical wrapper. */
export function* adaptTheOddsApiPush(body: Uint8Array, terms: PollTerms, context: PushContext): Task<AdaptedPush> {
  const opened = yield* openingJsonBody(body, ['data'], { bytes: maxElementBytes });
  if (opened.kind === 'malformed') return opened;
  const { value } = opened;
  const wrapper = isJsonObject(value) ? value : null;
  const events = wrapper === null ? value : memberOf(wrapper, 'data');
  if (!isJsonArray(events))
    return { kind: 'malformed', detail: 'the body is no array of events, and no wrapper with one in "data"' };
  const timestamp = wrapper === null ? null : memberOf(wrapper, 'timestamp');
  const adapted = yield* adaptList(opened, events, (event, frame) =>
    adaptEvent(event, frame, timestamp, terms, context),
  );
  const isTime = typeof timestamp === 'string' && timestamp.length <= longestTime;
  return adapted.kind === 'elements' && isTime ? { ...adapted, observedAt: timestamp } : adapted;
}

function* adaptEvent(
  event: JsonValue,
  frame: ElementFrame,
  timestamp: JsonValue,
  terms: PollTerms,
  context: PushContext,
): Task<AdaptedElement> {
  if (frame.end - frame.start > maxElementBytes)
    return refuse(frame, 'too-large', '', `more than ${maxElementBytes} bytes`);
  if (countOutcomes(event) > maxQuotes) return refuse(frame, 'too-large', '', `more than ${maxQuotes} quotes`);
  const read = yield* readEvent(event, terms.priceFormat);
  if ('badAt' in read) return refuse(frame, 'bad-event', read.badAt, read.detail);
  const forbidden = whyNotLeague(context.may, read.league);
  if (forbidden !== null) return refuse(frame, 'forbidden-league', '/sport_key', forbidden);
  const time = readSourceTime(timestamp, '', context);
  if ('refusal' in time) return { ...frame, kind: 'refused', refusals: [time.refusal], gameId: null };

  const { operators, refusals, warnings } = yield* acceptingOperators(read.operators, 'image', {
    names: memberNames,
    may: context.may,
    game: { league: read.league, home: read.home, away: read.away },
    strict: context.strict === true,
    noPrice: terms.priceFormat === 'american' ? noAmericanPrice : noDecimalPrice,
  });
  const identity = yield* identifying(event, frame, context);
  const { league, id, home, away, commenceTime } = read;
  return {
    ...frame,
    kind: 'accepted',
    sha256: identity.sha256,
    observation: {
      kind: 'image',
      scope: 'game',
      observed_at: time.observedAt,
      ...identity,
      commence_time: commenceTime,
      in_play: null,
      coverage: terms.coverage === null ? null : [...terms.coverage],
      covered_operators: coveredBy(terms.operators, context.may),
      operators,
    },
    game: { by: 'event', league, eventId: id, homeTeam: home, awayTeam: away, commenceTime },
    refusals,
    warnings,
  };
}

const noAmericanPrice = `price must be ${americanForm}; decimal prices take odds_format=decimal`;
const noDecimalPrice = `price must be ${decimalForm}; American prices take odds_format=american`;

/** The sportsbooks whose absence from an image counts: those that were polled and that the key may push. */
function coveredBy(polled: PollTerms['operators'], { operators }: PushGrant): string[] | null {
  if (polled === null) return operators === null ? null : [...operators];
  return polled.filter((code) => operators === null || operators.includes(code));
}

/** The number of quotes in an element, including refused ones. */
function countOutcomes(event: JsonValue): number {
  let count = 0;
  for (const bookmaker of listIn(event, 'bookmakers')) {
    for (const market of listIn(bookmaker, 'markets')) count += listIn(market, 'outcomes').length;
  }
  return count;
}

function listIn(value: JsonValue, name: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? memberOf(value, name) : null;
  return isJsonArray(list) ? list : [];
}

const leagueOfSport: ReadonlyMap<JsonValue, League> = new Map<JsonValue, League>(
  leagues.map((league) => [leagueTable[league].oddsApi, league]),
);

type ReadEvent = {
  league: League;
  id: string;
  home: string;
  away: string;
  commenceTime: Micros;
  operators: readonly ReadOperator[];
};

function* readEvent(event: JsonValue, priceFormat: PollTerms['priceFormat']): Task<ReadEvent | WrongEvent> {
  if (!isJsonObject(event)) return { badAt: '', detail: 'an event must be an object, and nest at most 32 levels' };
  const wrong = (name: string, what: string): WrongEvent => {
    return { badAt: `/${name}`, detail: mustBe(event, name, what, eventMembers) };
  };
  const league = leagueOfSport.get(memberOf(event, 'sport_key'));
  if (league === undefined) return wrong('sport_key', inWords([...leagueOfSport.keys()].map(String), 'or'));
  const id = readName(memberOf(event, 'id'));
  if (id === null) return wrong('id', `an id of ${nameForm}`);
  const home = readName(memberOf(event, 'home_team'));
  if (home === null) return wrong('home_team', `a name of ${nameForm}`);
  const away = readName(memberOf(event, 'away_team'));
  if (away === null) return wrong('away_team', `a name of ${nameForm}`);
  const commenceTime = plausibleTime(readTime(memberOf(event, 'commence_time')));
  if (commenceTime === null) return wrong('commence_time', commenceTimeForm);
  const operators = yield* readBookmakers(event, { home, away, priceFormat });
  return 'badAt' in operators ? operators : { league, id, home, away, commenceTime, operators };
}

type Words = { home: string; away: string; priceFormat: PollTerms['priceFormat'] };

function* readBookmakers(event: JsonObject, words: Words): Task<readonly ReadOperator[] | WrongEvent> {
  const bookmakers = memberOf(event, 'bookmakers');
  if (!isJsonArray(bookmakers))
    return { badAt: '/bookmakers', detail: mustBe(event, 'bookmakers', 'an array', eventMembers) };
  const operators: ReadOperator[] = [];
  for (const [index, bookmaker] of bookmakers.entries()) {
    yield;
    const operator = yield* readBookmaker(bookmaker, `/bookmakers/${index}`, words);
    if ('badAt' in operator) return operator;
    operators.push(operator);
  }
  return operators;
}

function* readBookmaker(bookmaker: JsonValue, pointer: string, words: Words): Task<ReadOperator | WrongEvent> {
  const markets = isJsonObject(bookmaker) ? memberOf(bookmaker, 'markets') : null;
  if (!isJsonObject(bookmaker) || !isJsonArray(markets))
    return { badAt: `${pointer}/markets`, detail: 'markets is no array' };
  const key = memberOf(bookmaker, 'key');
  const operator: ReadOperator = {
    operator: typeof key === 'string' ? key : '',
    pointer: `${pointer}/key`,
    quotes: [],
    pointers: [],
    wrong: new Map(),
  };
  const seen = plausibleTime(readTime(memberOf(bookmaker, 'last_update')));
  for (const [index, market] of markets.entries()) {
    const place = `${pointer}/markets/${index}`;
    const outcomes = isJsonObject(market) ? memberOf(market, 'outcomes') : null;
    if (!isJsonObject(market) || !isJsonArray(outcomes))
      return { badAt: `${place}/outcomes`, detail: 'outcomes is no array' };
    const marketKey = memberOf(market, 'key');
    const named = typeof marketKey === 'string' ? oddsApiMarket(marketKey) : noMarket;
    const stamp = plausibleTime(readTime(memberOf(market, 'last_update'))) ?? seen;
    yield;
    for (const [at, outcome] of outcomes.entries()) {
      if (at % quotesOfStep === quotesOfStep - 1) yield;
      addQuote(operator, `${place}/outcomes/${at}`, readOutcome(outcome, named, stamp, words));
    }
  }
  return operator;
}

const lowerCased: ReadonlyMap<string, string> = new Map(
  ['Draw', 'Over', 'Under', 'Yes', 'No'].map((word) => [word, word.toLowerCase()]),
);

/** An outcome as a quote, unless its shape is wrong. */
function readOutcome(
  outcome: JsonValue,
  named: OddsApiMarket,
  stamp: Micros | null,
  words: Words,
): RawQuote | WrongShape {
  if (!isJsonObject(outcome)) return { member: null, detail: 'an outcome must be an object' };
  const name = memberOf(outcome, 'name');
  if (typeof name !== 'string' || name === '' || !isKeepable(name))
    return { member: 'name', detail: 'name must be a text that is not empty' };
  const description = memberOf(outcome, 'description');
  if (description !== null && !(typeof description === 'string' && isKeepable(description))) {
    return { member: 'description', detail: 'description must be a text, or be left out' };
  }
  const side = sideOf(description, words);
  const word = sideOf(name, words) ?? lowerCased.get(name) ?? name;
  const price = numberOrWord(memberOf(outcome, 'price'));
  return {
    market: named.market,
    period: named.period,
    selection: side === null ? word : `${side}_${word}`,
    player: side === null ? description : null,
    player_id: null,
    line: numberOrWord(memberOf(outcome, 'point')),
    alternate: named.alternate,
    american: words.priceFormat === 'american' ? price : null,
    decimal: words.priceFormat === 'decimal' ? price : null,
    fractional: null,
    state: null,
    source_timestamp: stamp,
  };
}

function sideOf(name: string | null, words: Words): 'home' | 'away' | null {
  if (name === words.home) return 'home';
  return name === words.away ? 'away' : null;
}

const eventMembers = ['id', 'sport_key', 'sport_title', 'commence_time', 'home_team', 'away_team', 'bookmakers'];

const memberNames: MemberNames = { selection: 'name', player: 'description', price: 'price', line: 'point' };
