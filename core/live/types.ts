// What the live fold produces: rows, the state of their selections, and the facts that a flush publishes. Plain data, no behaviour.
import type { PriceFormat, RefusalCode } from '../quotes/types.ts';
import type { Micros } from '../units.ts';

export type QuoteChange = 'opened' | 'price' | 'line' | 'price_and_line' | 'suspended' | 'resumed' | 'withdrawn';

/** A row of sportsbook-lines (docs/quotes.md#columns): `line` in thousandths, `price_decimal` in ten-thousandths, times in micros. */
export type QuoteRow = {
  game_id: string;
  league: string;
  operator: string;
  row_number: number;
  selection_id: string;
  market: string;
  period: string;
  selection: string;
  player_id: string | null;
  line: number | null;
  price_american: number | null;
  price_decimal: number | null;
  price_source_format: PriceFormat | null;
  is_open: boolean;
  change: QuoteChange;
  in_play: boolean;
  timestamp: Micros;
  source_timestamp: Micros | null;
  source: string;
};

/** A row of a sportsbook's board file (docs/quotes.md#the-board). */
export type BoardRow = QuoteRow & {
  last_changed_at: Micros;
  operator_observed_through: Micros;
  quote_state: 'live' | 'stale_suspect';
};

/** A refusal found while folding. The receipt shows it; it is also kept as a dead letter if `deadLetter` is set. */
export type FoldRefusal = { code: RefusalCode; pointer: string; detail: string; deadLetter: boolean };

/** The outcome of one record. */
export type RecordOutcome = { state: 'applied' | 'duplicate' | 'refused'; refusals: readonly FoldRefusal[] };
