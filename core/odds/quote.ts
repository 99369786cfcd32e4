// What a sportsbook quotes for one selection, as odds need it: a row of a board, or the newest row of a log at some time. Plain data.
import type { BoardRow, QuoteRow } from '../live/types.ts';
import type { PriceFormat } from '../quotes/types.ts';
import { playerNameIn } from '../settlement/player-names.ts';
import type { Micros } from '../units.ts';

/** `line` in thousandths, `decimal` in ten-thousandths (docs/quotes.md#columns). */
export type Quote = {
  readonly operator: string;
  readonly selectionId: string;
  readonly market: string;
  readonly period: string;
  readonly selection: string;
  /** The player's name, as the quote gave it. */
  readonly player: string | null;
  readonly line: number | null;
  readonly american: number | null;
  readonly decimal: number | null;
  /** Which of the two price formats the source gave. */
  readonly given: PriceFormat | null;
  readonly isOpen: boolean;
  readonly isWithdrawn: boolean;
  /** The time of the row. */
  readonly changedAt: Micros;
  /** Null: no file says whether the quote could be trusted. */
  readonly state: BoardRow['quote_state'] | null;
};

/** The quote of a row of a log or a board. */
export function quoteOf(row: QuoteRow & Partial<Pick<BoardRow, 'quote_state'>>): Quote {
  return {
    operator: row.operator,
    selectionId: row.selection_id,
    market: row.market,
    period: row.period,
    selection: row.selection,
    player: playerNameIn({ selectionId: row.selection_id, line: row.line }),
    line: row.line,
    american: row.price_american,
    decimal: row.price_decimal,
    given: row.price_source_format,
    isOpen: row.is_open,
    isWithdrawn: row.change === 'withdrawn',
    changedAt: row.timestamp,
    state: row.quote_state ?? null,
  };
}
