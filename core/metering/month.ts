// Months of the ledger, as text: `YYYY-MM`, UTC. Which month it is the ledger says (docs/metering.md#ledger-outage); here is only what follows
// from that.
import type { Micros } from '../units.ts';
import { microsPerHour } from '../units.ts';

/** The month after one. */
export function nextMonth(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  return next.padStart(7, '0');
}

/** The date on which the quota of a month resets: the first of the next. docs/metering.md#monthly-quota. */
export function resetsOn(month: string): string {
  return `${nextMonth(month)}-01`;
}

/** How long a month lasts. UTC knows no daylight saving. */
export function lengthOfMonth(month: string): Micros {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  const days = number === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(number) ? 30 : 31;
  return days * 24 * microsPerHour;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The month `elapsed` after an instant in `month` at which that one lasted another `endsIn`; and how long that one lasts then. */
export function monthAfter(month: string, endsIn: Micros, elapsed: Micros): { month: string; endsIn: Micros } {
  let at = month;
  let left = endsIn - elapsed;
  while (left <= 0) {
    at = nextMonth(at);
    left += lengthOfMonth(at);
  }
  return { month: at, endsIn: left };
}
