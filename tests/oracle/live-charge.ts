// What a read of a live segment costs: the rows that the account has not yet paid for this month. The rule of the database's `charge_live`,
// said a second time and without a database. A read delivers the first rows of its segment, so one number per segment, its mark, says what
// was read; the sum of the marks says what was read of a log; and an account has paid for a game as many rows as it has read of any one of
// its logs (docs/metering.md#live-segment-charge). Independent of accounts, months and quotas.

/** What an account has read and paid for of a game this month. */
export type PaidGame = {
  /** Rows read of the current log: the sum of the marks of its segments. */
  log: number;
  /** Rows paid for the game: never fewer than were read of any of its logs. */
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
