// The quota of a month, beside which every debit is held (docs/metering.md#hard-quota).

/** Whether a debit would exceed the quota (null: none). A free read never does. */
export function passesQuota(usedRows: number, debit: number, monthlyRows: number | null): boolean {
  return debit > 0 && monthlyRows !== null && usedRows + debit > monthlyRows;
}
