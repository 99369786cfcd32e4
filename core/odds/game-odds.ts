// The board across sportsbooks: for each selection every sportsbook's quote, the best price, the hold of each sportsbook and of the market
// (docs/odds.md). Independent of where the quotes come from.
import { compareUtf8 } from '../live/utf8-order.ts';
import { holdOf } from './hold.ts';
import type { Quote } from './quote.ts';
import { type Bet, betOf } from './ways.ts';

export type QuoteOdds = {
  readonly quote: Quote;
  /** The sportsbook's hold on the bet, in millionths. */
  readonly hold: number | null;
};

export type SelectionOdds = {
  readonly selectionId: string;
  readonly market: string;
  readonly period: string;
  readonly selection: string;
  readonly player: string | null;
  /** The line of the best price. */
  readonly line: number | null;
  readonly best: Quote | null;
  /** The hold of the best prices of all ways at this line, in millionths. */
  readonly hold: number | null;
  /** By code of their sportsbook. */
  readonly quotes: readonly QuoteOdds[];
};

/** Takes at most one quote per sportsbook and selection; ordered by `selection_id` (UTF-8 bytes). */
export function gameOdds(quotes: readonly Quote[]): SelectionOdds[] {
  const bets = new Bets(quotes);
  const bySelection = Map.groupBy(quotes, ({ selectionId }) => selectionId);
  return [...bySelection]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([selectionId, quoted]) => {
      const { market, period, selection, player } = quoted[0] as Quote;
      const offers = quoted.filter(isOffer);
      const line = commonLine(offers.length > 0 ? offers : quoted);
      const atLine = quoted.find((quote) => quote.line === line) as Quote;
      return {
        ...{ selectionId, market, period, selection, player, line },
        best: bestOf(offers.filter((quote) => quote.line === line)),
        hold: bets.marketHold(atLine),
        quotes: quoted
          .toSorted((a, b) => compareUtf8(a.operator, b.operator))
          .map((quote) => ({ quote, hold: bets.ownHold(quote) })),
      };
    });
}

/** Whether the price is available as far as is known: open, and not suspected to be stale. */
function isOffer({ isOpen, decimal, state }: Quote): boolean {
  return isOpen && decimal !== null && state !== 'stale_suspect';
}

/** The highest decimal odds; on a tie, the first sportsbook by code. */
function bestOf(offers: readonly Quote[]): Quote | null {
  let best: Quote | null = null;
  for (const offer of offers) if (best === null || isBetter(offer, best)) best = offer;
  return best;
}

function isBetter(a: Quote, b: Quote): boolean {
  const more = (a.decimal ?? 0) - (b.decimal ?? 0);
  return more > 0 || (more === 0 && compareUtf8(a.operator, b.operator) < 0);
}

/** The line that most quotes have; on a tie, the one nearest to 0, then the negative one. */
function commonLine(quotes: readonly Quote[]): number | null {
  const counts = new Map<number | null, number>();
  for (const { line } of quotes) counts.set(line, (counts.get(line) ?? 0) + 1);
  const [first] = [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || compareLines(a, b));
  return (first as [number | null, number])[0];
}

/** Quotes without a line come last. */
function compareLines(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Math.abs(a) - Math.abs(b) || a - b;
}

type Ways = Map<string, Quote>;

/** The quotes by bet, and the hold of each bet. */
class Bets {
  readonly #betOf = new Map<Quote, Bet>();
  /** By the key of the bet, by sportsbook, by way. */
  readonly #books = new Map<string, Map<string, Ways>>();
  readonly #markets = new Map<string, number | null>();

  constructor(quotes: readonly Quote[]) {
    for (const quote of quotes) {
      const bet = betOf(quote);
      if (bet === null) continue;
      this.#betOf.set(quote, bet);
      this.#waysAt(bet, quote.operator).set(quote.selection, quote);
    }
  }

  #waysAt({ key }: Bet, operator: string): Ways {
    const books = this.#books.get(key) ?? new Map<string, Ways>();
    this.#books.set(key, books);
    const ways = books.get(operator) ?? new Map<string, Quote>();
    books.set(operator, ways);
    return ways;
  }

  /** The hold of the sportsbook's own prices; null unless all ways that it quotes are open. */
  ownHold(quote: Quote): number | null {
    const bet = this.#betOf.get(quote);
    if (bet === undefined) return null;
    const ways = this.#waysAt(bet, quote.operator);
    return holdOfAll(
      waysOf(bet, hasThird(bet, ways)).map((way) => {
        const each = ways.get(way);
        return each?.isOpen === true ? each.decimal : null;
      }),
    );
  }

  /** The hold of the best prices at the line of a quote. */
  marketHold(quote: Quote): number | null {
    const bet = this.#betOf.get(quote);
    if (bet === undefined) return null;
    const known = this.#markets.get(bet.key);
    if (known !== undefined) return known;
    const hold = this.#holdOfBest(bet);
    this.#markets.set(bet.key, hold);
    return hold;
  }

  #holdOfBest(bet: Bet): number | null {
    const books = [...(this.#books.get(bet.key) as Map<string, Ways>).values()];
    const withThird = books.filter((ways) => hasThird(bet, ways)).length;
    // A bet with two ways and one with three are different bets: their best prices cannot be combined.
    if (withThird > 0 && withThird < books.length) return null;
    return holdOfAll(
      waysOf(bet, withThird > 0).map((way) => {
        const offers = books.flatMap((ways) => ways.get(way) ?? []).filter(isOffer);
        return bestOf(offers)?.decimal ?? null;
      }),
    );
  }
}

function hasThird({ form }: Bet, ways: Ways): boolean {
  return form.third !== null && ways.has(form.third);
}

function waysOf({ form }: Bet, withThird: boolean): readonly string[] {
  return withThird && form.third !== null ? [...form.ways, form.third] : form.ways;
}

function holdOfAll(decimals: readonly (number | null)[]): number | null {
  const known = decimals.filter((decimal) => decimal !== null);
  return known.length === decimals.length ? holdOf(known) : null;
}
