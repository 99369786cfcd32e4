// TypeScript form of quotes.avsc (subject sds.quotes.v1-value), the same names and shapes. A record read from the topic is untrusted until
// `core/quotes` has normalised it: every string may be anything. Times are microseconds UTC.

/** One quote as its source wrote it: numbers stay text, so that no digit is lost. */
export type RawQuote = {
  market: string;
  period: string | null;
  selection: string;
  player: string | null;
  player_id: string | null;
  line: string | null;
  alternate: boolean;
  american: string | null;
  decimal: string | null;
  fractional: string | null;
  state: string | null;
  source_timestamp: number | null;
};

export type OperatorQuotes = { operator: string; quotes: RawQuote[] };

/** A market that an image covers; `null` members mean "all". */
type CoveredMarket = { market: string; period: string | null; alternate: boolean | null };

/** What a source reports of one game at one moment (docs/quotes.md#the-native-event). */
export type Observation = {
  kind: string;
  scope: string;
  observed_at: number | null;
  record_id: string | null;
  sha256: string | null;
  commence_time: number | null;
  in_play: boolean | null;
  /** The source regularly repeats its history: a late record is counted but does not become a dead letter. Absent: false. */
  history?: boolean;
  coverage: CoveredMarket[] | null;
  covered_operators: string[] | null;
  operators: OperatorQuotes[];
};

/**
 * One value of `sds.quotes.v1`; exactly one of the last seven members is set (docs/operations.md#topics). A tick with the nil UUID applies to
 * its whole partition, any other record to the game that it names.
 */
export type QuotesRecord = {
  game_uuid: string;
  game_id: string;
  league: string;
  source: string;
  received_at: number | null;
  push: string | null;
  push_index: number | null;
  /** The rank of the source, from -1000 to 1000; null: the last one in its records of this game. */
  rank: number | null;
  observation: Observation | null;
  start: { scheduled_start: number; from_schedule: boolean } | null;
  status: { status: string; at: number } | null;
  owner: { operator: string; owner_source: string } | null;
  tick: { at: number } | null;
  /** `sds games settle`: the game closes at once, whatever its status. */
  settle: { actor: string } | null;
  /**
   * `sds log rebuild`: the game's published log is folded again, as the log of this generation; ignored if that is not the next one.
   * Absent: null.
   */
  rebuild?: { generation: number } | null;
  /** Its id in the catalog's outbox, by which a repeat is recognised. Absent: null. */
  outbox_id?: number | null;
};
