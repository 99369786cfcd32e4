// Reads one entry of MSF's lines as quotes: the two or three sides of a bet with their prices as written. MSF does not report withdrawn
// lines; the last entry simply remains. Independent of games, sportsbooks and times.
import { isJsonObject, type JsonValue } from '../../core/json/value.ts';
import { valueAt } from '../../core/msf/values.ts';
import type { Micros } from '../../core/units.ts';
import type { RawQuote } from '../../schemas/events/quotes.ts';
import { periodOfSegment } from './msf-periods.ts';
import { numberOrWord, readPrice, type WrongShape } from './read-quotes.ts';

/** A side of a bet: the members with its price and its line. */
type Side = { selection: string; price: string; line: string | null };

/** `list`: the list of a sportsbook with such entries; `bet`: the member of an entry that is the bet. */
export type LineKind = { list: string; bet: string; market: string; sides: readonly Side[] };

export const lineKinds: readonly LineKind[] = [
  {
    list: 'moneyLines',
    bet: 'moneyLine',
    market: 'moneyline',
    sides: [
      { selection: 'away', price: 'awayLine', line: null },
      { selection: 'home', price: 'homeLine', line: null },
      { selection: 'draw', price: 'drawLine', line: null },
    ],
  },
  {
    list: 'pointSpreads',
    bet: 'pointSpread',
    market: 'spread',
    sides: [
      { selection: 'away', price: 'awayLine', line: 'awaySpread' },
      { selection: 'home', price: 'homeLine', line: 'homeSpread' },
    ],
  },
  {
    list: 'overUnders',
    bet: 'overUnder',
    market: 'total',
    sides: [
      { selection: 'over', price: 'overLine', line: 'overUnder' },
      { selection: 'under', price: 'underLine', line: 'overUnder' },
    ],
  },
];

/** A quote as read, with the pointers of its price and of its entry. */
export type Line = { pointer: string; entry: string; read: RawQuote | WrongShape };

/** The quotes of an entry at `pointer`, as of `at`; at least one. */
export function readLines(kind: LineKind, entry: JsonValue, pointer: string, at: Micros): Line[] {
  const bet = valueAt(entry, kind.bet);
  const place = `${pointer}/${kind.bet}`;
  if (!isJsonObject(bet)) return [{ pointer: place, entry: pointer, read: { member: null, detail: 'no object' } }];
  const segment = valueAt(bet, 'gameSegment');
  const period = typeof segment === 'string' ? periodOfSegment(segment) : null;
  return kind.sides.flatMap((side): Line[] => {
    const price = valueAt(bet, side.price);
    // If a draw is impossible, this is an object of nulls.
    if (side.selection === 'draw' && isEmpty(price)) return [];
    const quote = { pointer: `${place}/${side.price}`, entry: pointer };
    if (period === null) return [{ ...quote, read: { member: null, detail: 'gameSegment names no period' } }];
    return [{ ...quote, read: quoteOf(kind.market, period, side, price, bet, at) }];
  });
}

function quoteOf(market: string, period: string, side: Side, price: JsonValue, bet: JsonValue, at: Micros): RawQuote {
  return {
    market,
    period,
    selection: side.selection,
    player: null,
    player_id: null,
    line: side.line === null ? null : numberOrWord(valueAt(bet, side.line)),
    alternate: false,
    ...readPrice(price),
    state: null,
    source_timestamp: at,
  };
}

function isEmpty(price: JsonValue): boolean {
  return price === null || (isJsonObject(price) && Object.values(price).every((value) => value === null));
}
