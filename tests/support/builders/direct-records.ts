// A vector's push as records that a producer writes to the topic without a gateway: every quote unchanged, valid or
// not; numbers as texts; no push and no digest; the current moment as receive time. Written from docs/quotes.md,
// without the adapters' filters.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  numberText,
} from '../../../core/json/value.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { parsingJsonBody } from '../../../ingest/adapters/json-body.ts';
import { noMarket, oddsApiMarket } from '../../../ingest/adapters/odds-api-market-keys.ts';
import { readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import type { Observation, OperatorQuotes, RawQuote } from '../../../schemas/events/quotes.ts';
import type { VectorPush } from '../vectors/vector-cases.ts';
import { rawObservation, rawQuote } from './raw-quotes.ts';

/** `event`: the source's id of the game, if the element has one. */
export type DirectElement = { index: number; event: string | null } & (
  | { observation: Observation; leftOut: null }
  | { observation: null; leftOut: string }
);

/** The topic's schema cannot express this element. */
class NoAvroValue extends Error {}

const maxElementBytes = 900_000;

/**
 * The elements of a push. Elements that Avro cannot express, or that only a gateway can judge, are left out and counted
 * with the reason.
 */
export function directElements(push: VectorPush): DirectElement[] {
  const parsed = runToEnd(parsingJsonBody(push.body));
  if (parsed.kind === 'malformed') throw new Error(parsed.detail);
  const { value, outline } = parsed;
  const native = push.format === 'quotes';
  const list = isJsonObject(value) ? memberOf(value, native ? 'events' : 'data') : value;
  const spans = isJsonObject(value) ? outline.members.get(native ? 'events' : 'data') : outline.elements;
  if (!isJsonArray(list)) throw new Error('the push has no list of elements');
  const timestamp = isJsonObject(value) && !native ? memberOf(value, 'timestamp') : null;
  return list.map((element, index): DirectElement => {
    const event = eventOf(element, native);
    try {
      const span = spans?.[index];
      if (span !== undefined && span.end - span.start > maxElementBytes) throw new NoAvroValue('the bytes of its JSON');
      const ofPush = push.timed === 'source' ? push.at : null;
      if (!isJsonObject(element)) throw new NoAvroValue('an element that is no object');
      const observation = native
        ? nativeObservation(element, ofPush, push.scopes)
        : gameImage(element, timestamp ?? ofPush, push);
      return { index, event, observation, leftOut: null };
    } catch (error) {
      if (!(error instanceof NoAvroValue)) throw error;
      return { index, event, observation: null, leftOut: error.message };
    }
  });
}

function eventOf(element: JsonValue, native: boolean): string | null {
  if (!isJsonObject(element)) return null;
  const holder = native ? memberOf(element, 'game') : element;
  const id = isJsonObject(holder) ? memberOf(holder, native ? 'event_id' : 'id') : null;
  return typeof id === 'string' ? id : null;
}

function nativeObservation(event: JsonObject, ofPush: string | null, scopes: readonly string[]): Observation {
  const game = memberOf(event, 'game');
  const own = memberOf(event, 'observed_at');
  if ((own ?? ofPush) !== null && !scopes.includes('backfill')) throw new NoAvroValue('the scope of a feed key');
  const quotes = memberOf(event, 'quotes') ?? (memberOf(event, 'kind') === 'heartbeat' ? [] : null);
  const markets = memberOf(event, 'markets');
  const inPlay = memberOf(event, 'in_play');
  if (!isJsonArray(quotes)) throw new NoAvroValue('quotes that are no list');
  if (markets !== null && !isJsonArray(markets)) throw new NoAvroValue('markets that are no list');
  if (inPlay !== null && typeof inPlay !== 'boolean') throw new NoAvroValue('in_play that is no boolean');
  return rawObservation({
    kind: written(memberOf(event, 'kind')) ?? '',
    scope: 'operator',
    observed_at: timeOf(own ?? ofPush),
    commence_time: isJsonObject(game) ? timeOf(memberOf(game, 'commence_time')) : null,
    in_play: inPlay,
    coverage: markets?.map((market) => ({ market: written(market) ?? '', period: null, alternate: null })) ?? null,
    operators: [{ operator: written(memberOf(event, 'operator')) ?? '', quotes: quotes.map(nativeQuote) }],
  });
}

/** An element that Avro cannot express becomes an empty quote, as a careless producer might make of it. */
function nativeQuote(quote: JsonValue): RawQuote {
  try {
    if (isJsonObject(quote)) return quoteOf(quote);
  } catch (error) {
    if (!(error instanceof NoAvroValue)) throw error;
  }
  return rawQuote({ market: '', selection: '', american: null });
}

function quoteOf(quote: JsonObject): RawQuote {
  const price = memberOf(quote, 'price');
  const alternate = memberOf(quote, 'alternate') ?? false;
  if (typeof alternate !== 'boolean') throw new NoAvroValue('alternate that is no boolean');
  const player = memberOf(quote, 'player');
  if (player !== null && typeof player !== 'string') throw new NoAvroValue('player that is no text');
  const member = (name: string): string | null => written(memberOf(quote, name));
  return {
    market: member('market') ?? '',
    period: member('period'),
    selection: typeof memberOf(quote, 'selection') === 'string' ? (member('selection') ?? '') : '',
    player,
    player_id: member('player_id'),
    line: quoted(memberOf(quote, 'line')),
    alternate,
    american: isJsonObject(price) ? quoted(memberOf(price, 'american')) : quoted(price),
    decimal: isJsonObject(price) ? quoted(memberOf(price, 'decimal')) : null,
    fractional: isJsonObject(price) ? written(memberOf(price, 'fractional')) : null,
    state: member('state'),
    source_timestamp: timeOf(memberOf(quote, 'source_timestamp')),
  };
}

const words = new Map(['Draw', 'Over', 'Under', 'Yes', 'No'].map((word) => [word, word.toLowerCase()]));

function gameImage(event: JsonObject, observedAt: JsonValue, push: VectorPush): Observation {
  const { odds_format, markets, bookmakers } = push.query;
  const terms = readPollTerms({
    oddsFormat: odds_format ?? null,
    markets: markets ?? null,
    bookmakers: bookmakers ?? null,
  });
  if (terms.kind === 'invalid') throw new Error(terms.detail);
  const teams = { home: memberOf(event, 'home_team'), away: memberOf(event, 'away_team') };
  const side = (name: JsonValue): string | null => (name === teams.home ? 'home' : name === teams.away ? 'away' : null);
  const outcomeOf =
    (market: JsonObject, seen: number | null) =>
    (outcome: JsonValue): RawQuote => {
      const key = memberOf(market, 'key');
      const named = typeof key === 'string' ? oddsApiMarket(key) : noMarket;
      const [name, description] = isJsonObject(outcome)
        ? [memberOf(outcome, 'name'), memberOf(outcome, 'description')]
        : [null, null];
      const price = isJsonObject(outcome) ? quoted(memberOf(outcome, 'price')) : null;
      const selection = side(name) ?? words.get(String(name)) ?? (typeof name === 'string' ? name : '');
      const about = description === null ? null : side(description);
      return {
        ...named,
        selection: about === null ? selection : `${about}_${selection}`,
        player: about === null ? written(description) : null,
        player_id: null,
        line: isJsonObject(outcome) ? quoted(memberOf(outcome, 'point')) : null,
        american: terms.priceFormat === 'american' ? price : null,
        decimal: terms.priceFormat === 'decimal' ? price : null,
        fractional: null,
        state: null,
        source_timestamp: timeOr(memberOf(market, 'last_update'), seen),
      };
    };
  const operators = entries(event, 'bookmakers').map((bookmaker): OperatorQuotes => {
    const seen = timeOr(memberOf(bookmaker, 'last_update'), null);
    const quotes = entries(bookmaker, 'markets').flatMap((market) => {
      const outcomes = memberOf(market, 'outcomes');
      if (!isJsonArray(outcomes)) throw new NoAvroValue('outcomes that are no list');
      return outcomes.map(outcomeOf(market, seen));
    });
    return { operator: written(memberOf(bookmaker, 'key')) ?? '', quotes };
  });
  return rawObservation({
    scope: 'game',
    observed_at: timeOf(observedAt),
    commence_time: timeOf(memberOf(event, 'commence_time')),
    coverage: terms.coverage === null ? null : [...terms.coverage],
    covered_operators: terms.operators === null ? null : [...terms.operators],
    operators,
  });
}

function entries(holder: JsonObject, name: string): JsonObject[] {
  const list = memberOf(holder, name);
  if (!isJsonArray(list)) throw new NoAvroValue(`${name} that are no list`);
  return list.map((each) => {
    if (!isJsonObject(each)) throw new NoAvroValue(`an entry of ${name} that is no object`);
    return each;
  });
}

/** Texts unchanged, numbers as written, other values as their JSON. */
function written(value: JsonValue): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : (numberText(value) ?? JSON.stringify(value));
}

/** A value that should be a number. A text keeps its quotation marks, which show that it is none. */
function quoted(value: JsonValue): string | null {
  return typeof value === 'string' ? JSON.stringify(value) : written(value);
}

function timeOf(value: JsonValue): number | null {
  if (value === null) return null;
  const time = typeof value === 'string' ? parseRfc3339(value) : null;
  if (time === null) throw new NoAvroValue('a text that is not a time');
  return time;
}

/** A stamp of The Odds API that cannot be read counts as absent (docs/quotes.md#poll-coverage). */
function timeOr(value: JsonValue, other: number | null): number | null {
  return (typeof value === 'string' ? parseRfc3339(value) : null) ?? other;
}
