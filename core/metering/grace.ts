// How much an instance serves an account while the ledger is unreachable (docs/metering.md#ledger-outage). It is bounded, so that an outage
// gives away little, and journaled, so that the account is charged afterwards.

const mostRows = 50_000;
/** One part in this many of the quota. */
const partOfQuota = 20;

/** Rows that one instance serves one account in one outage; null: an account without a quota. */
export function graceOf(monthlyRows: number | null): number {
  return monthlyRows === null ? mostRows : Math.min(mostRows, Math.floor(monthlyRows / partOfQuota));
}
