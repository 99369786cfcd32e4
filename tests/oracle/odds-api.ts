// Reads one array element of The Odds API v4 as an observation of scope *game*: docs/quotes.md#the-odds-api.
import { canonical, type Json, member, sha256, stringMember } from './json.ts';
import { leaguesSaid } from './leagues.ts';
import {
  addQuotes,
  type Coverage,
  mostBytes,
  mostQuotes,
  type Observation,
  operatorCode,
  type ReadElement,
  refusedElement,
} from './observation.ts';
import { absent, type QuoteWords, type Word, word } from './quote.ts';
import { sourceTimeOf, type Timing } from './source-time.ts';
import { readMeant } from './times.ts';

const sports: Record<string, string> = Object.fromEntries(
  Object.entries(leaguesSaid).map(([league, { sportKey }]) => [sportKey, league]),
);

const featured: Record<string, string> = {
  h2h: 'moneyline',
  spreads: 'spread',
  totals: 'total',
  team_totals: 'team_total',
};

const suffixes: Record<string, string> = {
  _h1: 'first_half',
  _h2: 'second_half',
  _q1: 'q1',
  _q2: 'q2',
  _q3: 'q3',
  _q4: 'q4',
  _p1: 'p1',
  _p2: 'p2',
  _p3: 'p3',
  _1st_5_innings: 'first_five_innings',
  _1st_1_innings: 'inning_1',
};

interface Market {
  market: string;
  period: string;
  lineInIdentity: boolean;
}

/** The market and period of a key, and whether its lines are part of the identity. */
export function marketOf(key: string): Market {
  if (key.startsWith('alternate_') && key !== 'alternate_') {
    return { ...marketOf(key.slice('alternate_'.length)), lineInIdentity: true };
  }
  if (key.endsWith('_alternate') && key !== '_alternate') {
    return { ...marketOf(key.slice(0, -'_alternate'.length)), lineInIdentity: true };
  }
  for (const [suffix, period] of Object.entries(suffixes)) {
    if (!key.endsWith(suffix)) continue;
    const base = key.slice(0, -suffix.length);
    // "On all of these the suffixes": `X_alternate` counts too, "whatever key X is".
    if (base.endsWith('_alternate') && base !== '_alternate') return { ...marketOf(base), period };
    const named = namedMarket(base);
    if (named !== undefined) return { market: named, period, lineInIdentity: false };
  }
  return { market: namedMarket(key) ?? `x_${key.toLowerCase()}`, period: 'full', lineInIdentity: false };
}

function namedMarket(key: string): string | undefined {
  if (Object.hasOwn(featured, key)) return featured[key];
  const keepsItsKey = ['player_', 'batter_', 'pitcher_'].some((start) => key.startsWith(start) && key !== start);
  return keepsItsKey ? key : undefined;
}

export interface OddsApiQuery {
  odds_format?: string;
  markets?: string;
  bookmakers?: string;
}

/** `wrapperTime` is the member `timestamp` of the provider's historical wrapper, if there is one. */
export function readOddsApi(
  element: Json,
  body: string,
  query: OddsApiQuery,
  timing: Timing,
  wrapperTime: Json | undefined,
): ReadElement {
  const bookmakers = member(element, 'bookmakers');
  const markets = (bookmakers?.items ?? []).map((bookmaker) => member(bookmaker, 'markets'));
  const outcomes = markets.flatMap((list) => (list?.items ?? []).map((market) => member(market, 'outcomes')));
  const count = outcomes.reduce((sum, list) => sum + (list?.items.length ?? 0), 0);
  if (count > mostQuotes || Buffer.byteLength(body.slice(element.start, element.end)) > mostBytes) {
    return refusedElement('too-large', element);
  }

  const league = sports[stringMember(element, 'sport_key') ?? ''];
  const eventId = stringMember(element, 'id');
  const home = stringMember(element, 'home_team');
  const away = stringMember(element, 'away_team');
  const start = readMeant(stringMember(element, 'commence_time') ?? '');
  if (!league || !eventId || !home || !away || start === undefined) return refusedElement('bad-event', element);
  const isArray = (list: Json | undefined): boolean => list?.kind === 'array';
  if (!isArray(bookmakers) || !markets.every(isArray) || !outcomes.every(isArray)) {
    return refusedElement('bad-event', element);
  }

  const time = sourceTimeOf(wrapperTime, timing);
  if (typeof time === 'string') return refusedElement(time, element);

  const codes: string[] = [];
  const operators: Observation['operators'] = [];
  for (const bookmaker of bookmakers!.items) {
    const code = operatorCode(stringMember(bookmaker, 'key') ?? '');
    if (code === undefined) {
      codes.push('bad-operator');
      continue;
    }
    // "Two entries of one code in a record are one operator, their quotes in order."
    let operator = operators.find((other) => other.code === code);
    if (operator === undefined) {
      operator = { code, quotes: [] };
      operators.push(operator);
    }
    for (const market of member(bookmaker, 'markets')!.items) {
      const context = {
        home,
        away,
        decimal: query.odds_format === 'decimal',
        key: stringMember(market, 'key'),
        named: marketOf(stringMember(market, 'key') ?? ''),
        stamp: stampOf(market) ?? stampOf(bookmaker) ?? absent,
      };
      const said = member(market, 'outcomes')!.items.map((outcome) => wordsOfOutcome(outcome, context));
      addQuotes(operator.quotes, said, 'image', codes);
    }
  }
  return {
    refused: undefined,
    codes,
    game: { gameId: undefined, league, eventId, home, away, start },
    observation: { kind: 'image', scope: 'game', inPlay: undefined, coverage: coverageOf(query), operators },
    sourceTime: time,
    sha256: sha256(canonical(element)),
  };
}

/** "Query `markets=` and `bookmakers=` say what the poll covered (default: everything)." */
function coverageOf(query: OddsApiQuery): Coverage {
  return {
    operators: query.bookmakers?.split(',').map((key) => operatorCode(key) ?? ''),
    markets: query.markets?.split(',').map(marketOf),
  };
}

const plainNames = ['Draw', 'Over', 'Under', 'Yes', 'No'];

/**
 * The market that an outcome belongs to: the teams' names, and the time of the outcome, which is the market's stamp or
 * else the bookmaker's.
 */
type Context = {
  home: string;
  away: string;
  decimal: boolean;
  key: string | undefined;
  named: Market;
  stamp: Word;
};

function wordsOfOutcome(outcome: Json, context: Context): QuoteWords {
  const { key, named } = context;
  const given = (text: string): Word => ({ given: true, right: true, text });

  const selection = word(member(outcome, 'name'), 'string');
  if (selection.right && selection.text === context.home) selection.text = 'home';
  else if (selection.right && selection.text === context.away) selection.text = 'away';
  else if (selection.right && plainNames.includes(selection.text)) selection.text = selection.text.toLowerCase();

  // "`description`: equal to a team → the selection is `home_over`, `away_under` … ; any other → the player"
  let player = word(member(outcome, 'description'), 'string');
  if (player.given && player.right && (player.text === context.home || player.text === context.away)) {
    if (selection.text !== '') selection.text = `${player.text === context.home ? 'home' : 'away'}_${selection.text}`;
    player = absent;
  }

  const price = word(member(outcome, 'price'), 'number');
  return {
    isObject: outcome.kind === 'object',
    market: key === undefined ? { given: true, right: false, text: '' } : given(named.market),
    period: given(named.period),
    selection,
    player,
    playerId: absent,
    alternate: { given: true, right: true, text: String(named.lineInIdentity) },
    state: absent,
    stamp: context.stamp,
    line: word(member(outcome, 'point'), 'number'),
    price: absent,
    american: context.decimal ? absent : price,
    decimal: context.decimal ? price : absent,
    fractional: absent,
  };
}

/** "An unreadable `last_update` counts as absent." */
function stampOf(object: Json): Word | undefined {
  const text = stringMember(object, 'last_update');
  return text !== undefined && readMeant(text) !== undefined ? { given: true, right: true, text } : undefined;
}
