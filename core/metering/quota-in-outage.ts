// The monthly quota while the database is unreachable (docs/metering.md#hard-quota). It repeats the rule of the function `charge` in
// schemas/catalog/, which decides at all other times.

/** Whether a debit would exceed the quota (null: no quota). A free read never does. */
export function passesQuota(usedRows: number, debit: number, monthlyRows: number | null): boolean {
  return debit > 0 && monthlyRows !== null && usedRows + debit > monthlyRows;
}
