// What a read of a live segment costs: the rows that nobody of the account has paid this month. A read delivers the first rows of its
// segment, so what was read of a segment is one number, its mark; what was read of a log is the sum of its marks; and what was paid for a
// game is the most that was read of any one of its logs (docs/metering.md#live-segment-charge). Unaware of accounts, months and quotas.

/** What an account has read and paid of a game this month. */
export type PaidGame = {
  /** Rows read of the log that is served: the sum of the marks of its segments. */
  log: number;
  /** Rows paid for the game: never fewer than were read of any of its logs. */
  paid: number;
};

export type LiveDebit = {
  /** What the read costs. */
  debit: number;
  /** Rows read of the log, this read among them. */
  log: number;
};

/**
 * The cost of reading the first `rows` rows of a segment of which `mark` were read before. Decisions.md 32;
 * docs/metering.md#live-segment-charge.
 */
export function debitOfLive(game: PaidGame, mark: number, rows: number): LiveDebit {
  const log = game.log + Math.max(0, rows - mark);
  return { debit: Math.max(0, log - game.paid), log };
}

/** Whether a debit would pass the quota (null: none). What costs nothing never does. Decisions.md 33. */
export function passesQuota(usedRows: number, debit: number, monthlyRows: number | null): boolean {
  return debit > 0 && monthlyRows !== null && usedRows + debit > monthlyRows;
}
