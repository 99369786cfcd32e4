// How much an instance serves an account while the ledger is unreachable (docs/metering.md#ledger-outage). The amount is bounded, so that
// an outage gives little away, and journaled, so that the account is charged afterwards.

const mostRows = 50_000;
/** The quota divided by this. */
const partOfQuota = 20;

/** Rows that one instance serves one account during one outage; null: the account has no quota. */
export function graceOf(monthlyRows: number | null): number {
  return monthlyRows === null ? mostRows : Math.min(mostRows, Math.floor(monthlyRows / partOfQuota));
}
