// What the live fold makes: rows, their selection's state, and the facts a flush publishes. Plain data, no behaviour.
import type { PriceFormat, RefusalCode } from '../quotes/types.ts';
import type { Micros } from '../units.ts';

export type Change = 'opened' | 'price' | 'line' | 'price_and_line' | 'suspended' | 'resumed' | 'withdrawn';

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
  change: Change;
  in_play: boolean;
  timestamp: Micros;
  source_timestamp: Micros | null;
  source: string;
};

/** A row of an operator's board file (docs/quotes.md#the-board). */
export type BoardRow = QuoteRow & {
  last_changed_at: Micros;
  operator_observed_through: Micros;
  quote_state: 'live' | 'stale_suspect';
};

/** Where a record stands in its partition; `timestamp` is the broker's. */
export type Position = { partition: number; offset: number; timestamp: Micros };

/** A refusal found while folding, to be shown in the receipt and — unless `duplicate` — kept as a dead letter. */
export type FoldRefusal = { code: RefusalCode; pointer: string; detail: string; deadLetter: boolean };

/** What became of one record. */
export type RecordOutcome = { state: 'applied' | 'duplicate' | 'refused'; refusals: readonly FoldRefusal[] };
