// The quota of a month while the database is away (docs/metering.md#hard-quota). Otherwise the function `charge` of schemas/catalog/ decides, and
// this is the same rule.

/** Whether a debit would exceed the quota (null: none). A free read never does. */
export function passesQuota(usedRows: number, debit: number, monthlyRows: number | null): boolean {
  return debit > 0 && monthlyRows !== null && usedRows + debit > monthlyRows;
}
