// The odds of a game as the service answers them (docs/odds.md). Decimals and times are strings.

export type OddsOptions = {
  market?: string | undefined;
  period?: string | undefined;
  /** Only these sportsbooks. */
  operators?: readonly string[] | undefined;
  /** Adds `price`, a text. */
  format?: 'american' | 'decimal' | 'fractional' | undefined;
  /** Of each selection only the sportsbook with the best price. */
  best?: boolean | undefined;
  /** The odds at this time of the log. */
  at?: Date | string | undefined;
};

/** A price at a line. */
type OfferedPrice = {
  operator: string;
  line: string | null;
  price_american: number | null;
  price_decimal: string | null;
  /** With `format`. */
  price?: string | null | undefined;
  implied_probability: string | null;
};

export type OddsOfOperator = OfferedPrice & {
  hold: string | null;
  is_open: boolean;
  quote_state: 'live' | 'stale_suspect' | null;
  age_seconds: number | null;
  last_changed_at: string;
};

export type OddsOfSelection = {
  selection_id: string;
  market: string;
  period: string;
  selection: string;
  player: string | null;
  line: string | null;
  best: OfferedPrice | null;
  hold: string | null;
  operators: OddsOfOperator[];
};

export type Odds = {
  game_id: string;
  /** False when it was read from the final file. */
  provisional: boolean;
  as_of: string | null;
  board_version: string | null;
  selections: OddsOfSelection[];
};
