// Normal form of one observation of a game: the only input of the fold. `normalisingObservation` makes it, both from the gateway's records
// and from records written to the topic directly.
import type { Micros } from '../units.ts';

export type PriceFormat = 'american' | 'decimal' | 'fractional';

/** `decimal` is in ten-thousandths: 1.9091 is 19091. */
export type Price = { american: number; decimal: number; format: PriceFormat };

export type QuoteStatus = 'open' | 'suspended' | 'withdrawn';

/** One accepted quote. `line` is in thousandths; `alternate`: the line is part of the identity. */
export type NormalQuote = {
  selection_id: string;
  market: string;
  period: string;
  selection: string;
  player_id: string | null;
  line: number | null;
  alternate: boolean;
  price: Price | null;
  state: QuoteStatus;
  source_timestamp: Micros | null;
};

/** A position among the operators of a record: the index of the entry, and of the quote in it. */
export type QuotePlace = { entry: number; quote: number };

/**
 * One sportsbook with a valid code; `entry` is its first entry in the record. `quotes` are the accepted ones in the order of the record,
 * `places` where each of them is.
 */
export type NormalOperator = { operator: string; entry: number; quotes: NormalQuote[]; places: QuotePlace[] };

export type NormalCoverage = readonly { market: string; period: string | null; alternate: boolean | null }[] | null;

/** A normalised observation. Sportsbooks in code order (bytes), each once. */
export type NormalObservation = {
  kind: 'image' | 'delta' | 'heartbeat';
  scope: 'operator' | 'game';
  observed_at: Micros | null;
  commence_time: Micros | null;
  in_play: boolean | null;
  coverage: NormalCoverage;
  covered_operators: ReadonlySet<string> | null;
  operators: NormalOperator[];
};

/** A probable mistake of the sender: a warning, or under `strict` a refusal. docs/operations.md#warnings. */
export type WarningCode = 'foreign-market' | 'team-as-selection' | 'prices-disagree' | 'unknown-team' | 'second-game';

/** Codes of docs/quotes.md. The first group refuses a whole record, the second one quote of it; the fold finds the third. */
export type RefusalCode =
  | 'too-large'
  | 'bad-event'
  | 'forbidden-league'
  | 'bad-operator'
  | 'forbidden-operator'
  | 'forbidden-time'
  | 'bad-time'
  | 'future-observation'
  | 'game-conflict'
  | 'too-many-games'
  | 'bad-key'
  | 'bad-record'
  | 'misplaced'
  | 'bad-quote'
  | 'bad-state'
  | 'bad-price'
  | 'bad-line'
  | 'missing-line'
  | 'duplicate-selection'
  | 'conflict'
  | 'late-observation'
  | 'other-source'
  | 'game-settled'
  | 'too-many-operators'
  | 'too-many-selections'
  | 'unknown-selection'
  | WarningCode;

/** `pointer` is a JSON pointer from the record (the element of the push). */
export type QuoteRefusal = { code: RefusalCode; pointer: string; detail: string };
