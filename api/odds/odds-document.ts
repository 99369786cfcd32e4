// The odds of a game as the odds routes return them (docs/odds.md#the-answer): decimals are strings with all digits of their scale.
import { fixedText } from '../../core/decimal.ts';
import { gameOdds, type QuoteOdds, type SelectionOdds } from '../../core/odds/game-odds.ts';
import { impliedProbability } from '../../core/odds/hold.ts';
import { priceText } from '../../core/odds/price-text.ts';
import type { Quote } from '../../core/odds/quote.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import type { BestPrice, OddsDocument, OperatorOdds, SelectionDocument } from '../../schemas/http/odds.ts';
import type { OddsQuery } from './odds-query.ts';

export type OddsFacts = {
  gameId: string;
  provisional: boolean;
  asOf: Micros | null;
  /** The version of the boards that were read; null: none were. */
  boardVersion: string | null;
  /** The watermark of a sportsbook at `asOf`; null: unknown. */
  observedThrough(operator: string): Micros | null;
};

type Form = Pick<OddsQuery, 'format' | 'bestOnly'>;

export function oddsDocument(quotes: readonly Quote[], facts: OddsFacts, form: Form): OddsDocument {
  return {
    game_id: facts.gameId,
    provisional: facts.provisional,
    as_of: facts.asOf === null ? null : formatMicros(facts.asOf),
    board_version: facts.boardVersion,
    selections: gameOdds(quotes).map((odds) => selectionDocument(odds, facts, form)),
  };
}

function selectionDocument(odds: SelectionOdds, facts: OddsFacts, form: Form): SelectionDocument {
  const { best } = odds;
  const shown = form.bestOnly ? odds.quotes.filter(({ quote }) => quote === best) : odds.quotes;
  return {
    selection_id: odds.selectionId,
    market: odds.market,
    period: odds.period,
    selection: odds.selection,
    player: odds.player,
    line: lineOf(odds),
    best: best === null ? null : priceOf(best, form),
    hold: share(odds.hold),
    operators: shown.map((each) => operatorOdds(each, facts, form)),
  };
}

function operatorOdds({ quote, hold }: QuoteOdds, facts: OddsFacts, form: Form): OperatorOdds {
  return {
    ...priceOf(quote, form),
    hold: share(hold),
    is_open: quote.isOpen,
    quote_state: quote.state,
    age_seconds: ageOf(quote, facts),
    last_changed_at: formatMicros(quote.changedAt),
  };
}

function priceOf(quote: Quote, { format }: Form): BestPrice {
  const { operator, american, decimal } = quote;
  return {
    operator,
    line: lineOf(quote),
    price_american: american,
    price_decimal: decimal === null ? null : fixedText(decimal, 4),
    ...(format === null ? {} : { price: priceText(quote, format) }),
    implied_probability: decimal === null ? null : share(impliedProbability(decimal)),
  };
}

/** Gateways' clocks may be slightly ahead of this one, so ages are never negative. */
function ageOf({ operator }: Quote, { asOf, observedThrough }: OddsFacts): number | null {
  const through = observedThrough(operator);
  return through === null || asOf === null ? null : Math.max(0, Math.floor((asOf - through) / microsPerSecond));
}

function lineOf({ line }: { line: number | null }): string | null {
  return line === null ? null : fixedText(line, 3);
}

function share(millionths: number | null): string | null {
  return millionths === null ? null : fixedText(millionths, 6);
}
