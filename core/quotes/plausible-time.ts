// Which times of quotes are meant as times: providers write 0001-01-01 and its like where they have none (docs/quotes.md#time-of-a-record).
import type { Micros } from '../units.ts';

const earliest: Micros = Date.UTC(1970, 0, 1) * 1000;
const end: Micros = Date.UTC(2200, 0, 1) * 1000;

/** The time, unless it is before 1970 or after 2199: then null, and for null. */
export function plausibleTime(time: Micros | null): Micros | null {
  return time !== null && time >= earliest && time < end ? time : null;
}
