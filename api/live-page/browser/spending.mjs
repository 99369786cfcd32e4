// What the page has cost, in rows, and how much it may cost until its reader says more. An account without a quota has no limit.

const step = 5_000;

export function openSpending(changed) {
  let spent = 0;
  let limit = step;
  let month = null;

  return {
    /** What `GET /v1/me` says of the month. */
    know(quota) {
      month = { used: quota.used_rows, of: quota.monthly_rows };
      changed();
    },
    add(rows) {
      spent += rows;
      if (month !== null) month.used += rows;
      if (rows > 0) changed();
    },
    /** Whether a read of so many rows stays within the limit. */
    allows(rows) {
      return rows === 0 || month?.of === null || spent + rows <= limit;
    },
    /** What the reader is asked to allow for a read of so many rows. */
    more: (rows) => Math.max(step, rows),
    allowMore(rows) {
      limit = spent + Math.max(step, rows);
      changed();
    },
    get spent() {
      return spent;
    },
    get month() {
      return month;
    },
  };
}
