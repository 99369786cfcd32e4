// Finds probable mistakes in acceptable quotes (docs/operations.md#warnings). Every good quote is checked, so the service's usual names are
// tested before anything else.
import { foldTeamName } from '../../core/games/team-directory.ts';
import { referenceTeams } from '../../core/games/teams.ts';
import { normalisePrice, type RawPrice } from '../../core/quotes/price.ts';
import type { WarningCode } from '../../core/quotes/types.ts';
import type { RawQuote } from '../../schemas/events/quotes.ts';
import { oddsApiMarket } from './odds-api-market-keys.ts';

/** `member`: the part of the quote that the warning is about. */
export type QuoteWarning = { code: WarningCode; member: 'market' | 'selection' | 'price'; detail: string };

/** What an event says about its game; null: it does not say. */
export type GameWords = { league: string | null; home: string | null; away: string | null };

/** The first warning that applies to a quote; null for nearly all quotes. */
export function warningOf(quote: RawQuote, game: GameWords): QuoteWarning | null {
  const { market, selection } = quote;
  const advice = usualMarkets.has(market) ? null : remembered(market);
  if (advice !== null) return { code: 'foreign-market', member: 'market', detail: advice };
  const named = usualSelections.has(selection) ? null : teamAdvice(selection, game);
  if (named !== null) return { code: 'team-as-selection', member: 'selection', detail: named };
  const ignored = quote.american === null ? null : (quote.decimal ?? quote.fractional);
  if (ignored === null && (quote.decimal === null || quote.fractional === null)) return null;
  const prices = priceAdvice(quote);
  return prices === null ? null : { code: 'prices-disagree', member: 'price', detail: prices };
}

/** The service's markets, each with its key in The Odds API. */
const keysOfMarkets = { moneyline: 'h2h', spread: 'spreads', total: 'totals', team_total: 'team_totals' } as const;
type Market = keyof typeof keysOfMarkets;
const usualMarkets: ReadonlySet<string> = new Set(Object.keys(keysOfMarkets));

/** The names of these markets in other feeds. */
const otherWords: Readonly<Record<Market, readonly string[]>> = {
  moneyline: ['ml', 'money_line', 'money', 'winner', 'game_winner', 'match_winner', 'to_win', '1x2'],
  spread: ['point_spread', 'handicap', 'asian_handicap', 'run_line', 'runline', 'puck_line', 'puckline', 'ats'],
  total: ['over_under', 'ou', 'o_u', 'game_total', 'total_points', 'total_runs', 'total_goals'],
  team_total: ['team_points', 'team_runs', 'team_goals'],
};
const marketOfWord: ReadonlyMap<string, Market> = new Map(
  (Object.entries(otherWords) as [Market, readonly string[]][]).flatMap(([market, words]) =>
    words.map((word) => [word, market] as const),
  ),
);

const mostRemembered = 8_192;
const advices = new Map<string, string | null>();

function remembered(market: string): string | null {
  const known = advices.get(market);
  if (known !== undefined) return known;
  const advice = marketAdvice(market);
  if (advices.size >= mostRemembered) advices.clear();
  advices.set(market, advice);
  return advice;
}

/** Why a market name is probably from another vocabulary, and what it means there; null for any other name. */
function marketAdvice(market: string): string | null {
  // A key of The Odds API without a market of ours is spelled `x_` and the key.
  const key = market.startsWith('x_') ? market.slice(2) : market;
  const word = marketOfWord.get(key) ?? (key !== market && usualMarkets.has(key) ? (key as Market) : undefined);
  if (word !== undefined)
    return key === market
      ? `${market} is a name of its own here: the market is ${word}`
      : `${market} is a name of its own here: the market is ${word}, which The Odds API calls ${keysOfMarkets[word]}`;
  const meant = oddsApiMarket(market);
  if (meant.market === market || meant.market === '' || meant.market.startsWith('x_')) return null;
  const period = meant.period === 'full' ? '' : `, period ${meant.period}`;
  const alternate = meant.alternate ? ', alternate true' : '';
  return `${market} is a key of The Odds API: here it is market ${meant.market}${period}${alternate}`;
}

const usualSelections: ReadonlySet<string> = new Set([
  ...['home', 'away', 'draw', 'over', 'under', 'yes', 'no'],
  ...['home_over', 'home_under', 'away_over', 'away_under'],
]);

function teamAdvice(selection: string, { league, home, away }: GameWords): string | null {
  const name = foldTeamName(selection);
  const quoted = JSON.stringify(selection);
  if (home !== null && name === foldTeamName(home)) return `${quoted} is the home team: the selection is home`;
  if (away !== null && name === foldTeamName(away)) return `${quoted} is the away team: the selection is away`;
  if (league === null || !teamNames().has(`${league}/${name}`)) return null;
  return `${quoted} is a team of ${league}: the selection is home or away`;
}

let named: ReadonlySet<string> | null = null;

/** All names of the teams of the reference table. */
function teamNames(): ReadonlySet<string> {
  named ??= new Set(
    referenceTeams().flatMap(({ team, aliases }) =>
      [team.name, team.abbreviation, team.nickname, ...aliases]
        .filter((name) => name !== null)
        .map((name) => `${team.league}/${foldTeamName(name)}`),
    ),
  );
  return named;
}

const formats = ['american', 'decimal', 'fractional'] as const;

/** How far the decimals of two formats may differ by the rounding of sportsbooks: a cent, or a hundredth of the profit. */
const cent = 100;
const partOfProfit = 0.01;

/** Why a second price format contradicts the one that counts; null if it agrees. */
function priceAdvice(quote: RawPrice): string | null {
  const given = formats.filter((format) => quote[format] !== null);
  const counts = given[0] as (typeof formats)[number];
  const price = normalisePrice(quote);
  if (price === null) return null;
  for (const other of given.slice(1)) {
    const parsed = normalisePrice({ american: null, decimal: null, fractional: null, [other]: quote[other] });
    const apart = parsed === null ? Number.POSITIVE_INFINITY : Math.abs(parsed.decimal - price.decimal);
    if (apart < cent || apart <= partOfProfit * (price.decimal - 10_000)) continue;
    const meaning = parsed === null ? 'is no price' : `is ${parsed.decimal / 10_000} in decimal`;
    return `price.${other} ${meaning}, price.${counts} is ${price.decimal / 10_000}: ${counts} counts`;
  }
  return null;
}
