// How much an instance serves an account while the ledger cannot be asked (docs/metering.md#ledger-outage): bounded, so that an
// outage gives away little, and journaled, so that it gives away nothing.

const mostRows = 50_000;
/** One part in this many of the quota. */
const partOfQuota = 20;

/** Rows that one instance serves one account in one outage; null stands for an account without a quota. */
export function graceOf(monthlyRows: number | null): number {
  return monthlyRows === null ? mostRows : Math.min(mostRows, Math.floor(monthlyRows / partOfQuota));
}
