// Normalises one quote, or returns the one code that refuses it, checked in the order of docs/quotes.md#selection-identity: bad-quote,
// bad-state, bad-price, bad-line, missing-line. (duplicate-selection needs the other quotes: normalise-operators.ts.)
import type { RawQuote } from '../../schemas/events/quotes.ts';
import { isCanonicalUuid } from '../games/uuid.ts';
import { normaliseLine } from './line.ts';
import { isMarketName } from './name-forms.ts';
import { plausibleTime } from './plausible-time.ts';
import { normalisePrice, whyNoPrice } from './price.ts';
import { findSelection, idOfSelection, rememberSelection } from './selection-cache.ts';
import type { NormalObservation, NormalQuote, Price, QuoteStatus, RefusalCode } from './types.ts';

/** `member`: the part of the quote that is at fault; null: the quote as a whole. */
export type QuoteFault = { code: RefusalCode; member: QuoteMember | null; detail: string };
export type QuoteMember = Exclude<keyof RawQuote, 'american' | 'decimal' | 'fractional'> | 'price';

/** The normalised quote, or its fault. */
export function normaliseQuote(raw: RawQuote, kind: NormalObservation['kind']): NormalQuote | QuoteFault {
  const period = raw.period ?? 'full';
  const known = findSelection(raw.market, period, raw.selection, raw.player);
  const wrong = known === undefined ? faultOfNames(raw, period) : null;
  if (wrong !== null) return wrong;

  const state = raw.state ?? 'open';
  if (!isState(state)) return fault('bad-state', 'state', 'state must be open, suspended or withdrawn');
  if (state === 'withdrawn' && kind !== 'delta')
    return fault('bad-state', 'state', 'state may be withdrawn in a delta only: an image withdraws what it leaves out');

  let price: Price | null = null;
  if (state === 'open' || (state === 'suspended' && hasPrice(raw))) {
    price = normalisePrice(raw);
    if (price === null) return fault('bad-price', 'price', whyNoPrice(raw));
  }

  let line: number | null = null;
  if (raw.line !== null) {
    line = normaliseLine(raw.line);
    if (line === null)
      return fault(
        'bad-line',
        'line',
        'line must be a number between -100,000 and 100,000 with at most 3 decimal places',
      );
  } else if (raw.alternate) {
    return fault('missing-line', 'line', 'line is missing: an alternate quote needs one');
  } else if (state === 'open' && linedMarkets.has(raw.market)) {
    return fault('missing-line', 'line', `line is missing: an open ${raw.market} needs one`);
  }

  const { market, selection, player } = raw;
  const named = known ?? rememberSelection({ market, period, selection, player });
  return {
    selection_id: idOfSelection(named, raw.alternate ? line : null),
    market,
    period,
    selection,
    player_id: canonicalPlayerId(raw.player_id),
    line,
    alternate: raw.alternate,
    price,
    state,
    source_timestamp: plausibleTime(raw.source_timestamp),
  };
}

/** What is wrong with the names of the quote's selection; null if nothing. */
function faultOfNames({ market, selection, player }: RawQuote, period: string): QuoteFault | null {
  if (!isMarketName(market))
    return fault(
      'bad-quote',
      'market',
      'market must be 1 to 64 of a-z, 0-9 and _, as moneyline, spread, total or player_points',
    );
  if (!isMarketName(period))
    return fault('bad-quote', 'period', 'period must be 1 to 64 of a-z, 0-9 and _, as full, first_half or q1');
  if (!isText(selection))
    return fault(
      'bad-quote',
      'selection',
      'selection must be a text that is not empty and valid Unicode, as home, away, over or under',
    );
  if (player !== null && !isText(player))
    return fault('bad-quote', 'player', 'player must be a text that is not empty and valid Unicode, or be left out');
  return null;
}

export function isFault(result: NormalQuote | QuoteFault): result is QuoteFault {
  return 'code' in result;
}

const linedMarkets: ReadonlySet<string> = new Set(['spread', 'total', 'team_total']);

/** A canonical player id. Anything else is null: the source's id could not be resolved (docs/quotes.md#selection-identity). */
function canonicalPlayerId(id: string | null): string | null {
  return id !== null && isCanonicalUuid(id) ? id : null;
}

function hasPrice(raw: RawQuote): boolean {
  return raw.american !== null || raw.decimal !== null || raw.fractional !== null;
}

function isState(state: string): state is QuoteStatus {
  return state === 'open' || state === 'suspended' || state === 'withdrawn';
}

/** Not empty, and without lone surrogates, which UTF-8 cannot carry. */
function isText(text: string): boolean {
  return text !== '' && text.isWellFormed();
}

function fault(code: RefusalCode, member: QuoteMember, detail: string): QuoteFault {
  return { code, member, detail };
}
