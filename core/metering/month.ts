// Months of the ledger, as text: `YYYY-MM`, UTC. The ledger decides which month it is (docs/metering.md#ledger-outage); this file only
// calculates with months.
import type { Micros } from '../units.ts';
import { microsPerHour } from '../units.ts';

/** The next month. */
export function nextMonth(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  return next.padStart(7, '0');
}

/** The date on which the quota of a month resets: the first of the next month. docs/metering.md#monthly-quota. */
export function resetsOn(month: string): string {
  return `${nextMonth(month)}-01`;
}

/** How long a month lasts. UTC has no daylight saving. */
export function lengthOfMonth(month: string): Micros {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  const days = number === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(number) ? 30 : 31;
  return days * 24 * microsPerHour;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** `month` ends in `endsIn`. Returns the month after `elapsed`, and in how long that one ends. */
export function monthAfter(month: string, endsIn: Micros, elapsed: Micros): { month: string; endsIn: Micros } {
  let at = month;
  let left = endsIn - elapsed;
  while (left <= 0) {
    at = nextMonth(at);
    left += lengthOfMonth(at);
  }
  return { month: at, endsIn: left };
}
