// Which selections are the ways of one bet, exactly one of which wins (docs/odds.md#markets). Only these have a hold.
import type { Quote } from './quote.ts';

/** The ways of a bet by its subject: always two, and a third if it is quoted. */
const forms = {
  sides: { ways: ['home', 'away'], third: 'draw' },
  points: { ways: ['over', 'under'], third: null },
  answers: { ways: ['yes', 'no'], third: null },
  'points of home': { ways: ['home_over', 'home_under'], third: null },
  'points of away': { ways: ['away_over', 'away_under'], third: null },
} as const satisfies Record<string, Form>;

export type Form = { readonly ways: readonly [string, string]; readonly third: string | null };

const formOfWay: ReadonlyMap<string, readonly [string, Form]> = new Map(
  Object.entries(forms).flatMap(([name, form]) =>
    [...form.ways, form.third].flatMap((way) => (way === null ? [] : [[way, [name, form]] as const])),
  ),
);

/** A bet at one line. Quotes with the same `key` are of the same bet, at any sportsbook. */
export type Bet = { readonly key: string; readonly form: Form };

/** The bet that a quote is a way of; null if its selection has no known form. */
export function betOf(
  quote: Pick<Quote, 'selectionId' | 'market' | 'period' | 'selection' | 'player' | 'line'>,
): Bet | null {
  const found = formOfWay.get(quote.selection);
  if (found === undefined) return null;
  const [name, form] = found;
  const { market, period, selection, player } = quote;
  // The handicap of `away` is that of `home` with the opposite sign.
  const line = quote.line !== null && selection === 'away' ? -quote.line : quote.line;
  const kind = hasLineInId(quote) ? 'alternate' : 'main';
  // A player's name may contain anything, so it comes last.
  return { key: `${market} ${period} ${name} ${kind} ${line} ${player ?? ''}`, form };
}

/** Whether the line is part of the identity (docs/quotes.md#selection-identity). */
function hasLineInId({ selectionId, player }: Pick<Quote, 'selectionId' | 'player'>): boolean {
  return selectionId.split('/').length > (player === null ? 3 : 4);
}
