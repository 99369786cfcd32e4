// What a read of a live segment costs: the rows that the account has not paid for this month. States the rule of the
// database's `charge_live` again, for one account and month (docs/metering.md#live-segment-charge). A read delivers the
// first rows of its segment, up to a mark; the marks of a log add up to the rows read of it. An account has paid for a
// game as many rows as it read of any one of its logs.

/** What an account has read of a game and paid for this month. */
export type PaidGame = {
  /** Rows read of the current log: the sum of the marks of its segments. */
  log: number;
  /** Rows paid for the game: at least as many as were read of any one of its logs. */
  paid: number;
};

export type LiveDebit = {
  /** What the read costs. */
  debit: number;
  /** Rows read of the log, including this read. */
  log: number;
};

/** The cost of reading the first `rows` rows of a segment when `mark` of them were read before. */
export function debitOfLive(game: PaidGame, mark: number, rows: number): LiveDebit {
  const log = game.log + Math.max(0, rows - mark);
  return { debit: Math.max(0, log - game.paid), log };
}
