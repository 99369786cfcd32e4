// Maps market keys of The Odds API v4 to the service's terms (docs/quotes.md#the-odds-api): the market, its period, and whether the line is
// part of the identity. Every key has a result; the quotes of one that cannot be a market are refused.
import { asciiLowerCase } from '../../core/quotes/name-forms.ts';

export type OddsApiMarket = { market: string; period: string; alternate: boolean };

const markets: ReadonlyMap<string, string> = new Map([
  ['h2h', 'moneyline'],
  ['spreads', 'spread'],
  ['totals', 'total'],
  ['team_totals', 'team_total'],
]);

const keptPrefixes = ['player_', 'batter_', 'pitcher_'];

const periods: readonly (readonly [suffix: string, period: string])[] = [
  ['_h1', 'first_half'],
  ['_h2', 'second_half'],
  ['_q1', 'q1'],
  ['_q2', 'q2'],
  ['_q3', 'q3'],
  ['_q4', 'q4'],
  ['_p1', 'p1'],
  ['_p2', 'p2'],
  ['_p3', 'p3'],
  ['_1st_5_innings', 'first_five_innings'],
  ['_1st_1_innings', 'inning_1'],
];

const alternatePrefix = 'alternate_';
const alternateSuffix = '_alternate';

/** The result for keys that cannot be a market: their quotes are refused. */
export const noMarket: OddsApiMarket = { market: '', period: 'full', alternate: false };

/** Longer keys are not a market, whatever their prefixes and suffixes. */
const maxKeyLength = 256;

/**
 * The market of a key. `alternate_X` and `X_alternate` mean the market of key X, whatever X is, with the line in the identity; a period's
 * suffix may come before or after `_alternate`.
 */
export function oddsApiMarket(key: string): OddsApiMarket {
  if (key.length > maxKeyLength) return noMarket;
  const plain = withoutAlternate(key);
  if (plain !== null) return { ...oddsApiMarket(plain), alternate: true };

  const [base, period] = splitPeriod(key);
  if (period !== null) {
    // Before the known markets: a prefix of a kept key matches `player_…_alternate` too.
    const plainBase = withoutAlternate(base);
    if (plainBase !== null) return { ...oddsApiMarket(plainBase), period, alternate: true };
    const market = knownMarket(base);
    if (market !== null) return { market, period, alternate: false };
  }
  return { market: knownMarket(key) ?? `x_${asciiLowerCase(key)}`, period: 'full', alternate: false };
}

/** X of `alternate_X` or `X_alternate`; null if the key is neither. */
function withoutAlternate(key: string): string | null {
  if (key.startsWith(alternatePrefix) && key.length > alternatePrefix.length) return key.slice(alternatePrefix.length);
  if (key.endsWith(alternateSuffix) && key.length > alternateSuffix.length)
    return key.slice(0, -alternateSuffix.length);
  return null;
}

function splitPeriod(key: string): [base: string, period: string | null] {
  for (const [suffix, period] of periods) {
    if (key.endsWith(suffix) && key.length > suffix.length) return [key.slice(0, -suffix.length), period];
  }
  return [key, null];
}

function knownMarket(key: string): string | null {
  const keepsItsKey = keptPrefixes.some((prefix) => key.startsWith(prefix) && key !== prefix);
  return markets.get(key) ?? (keepsItsKey ? key : null);
}
