// A price as text in one of the three formats (docs/odds.md#formats). Exact: nothing goes through a double.
import { fixedText } from '../decimal.ts';
import type { PriceFormat } from '../quotes/types.ts';
import type { Quote } from './quote.ts';

/** The price of a quote in a format; null if it has no price. */
export function priceText(
  { american, decimal, given }: Pick<Quote, 'american' | 'decimal' | 'given'>,
  format: PriceFormat,
): string | null {
  if (american === null || decimal === null) return null;
  switch (format) {
    case 'american':
      return american > 0 ? `+${american}` : String(american);
    case 'decimal':
      return fixedText(decimal, 4);
    case 'fractional':
      return given === 'american' ? fractionOfAmerican(american) : fraction(decimal - 10_000, 10_000);
  }
}

/** American odds as winnings per stake: a fraction of 100 already. */
function fractionOfAmerican(american: number): string {
  return american > 0 ? fraction(american, 100) : fraction(100, -american);
}

/** In lowest terms. */
function fraction(numerator: number, denominator: number): string {
  const common = greatestCommonDivisor(numerator, denominator);
  return `${numerator / common}/${denominator / common}`;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}
