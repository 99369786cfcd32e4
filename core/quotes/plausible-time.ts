// Drops quote times that are placeholders: providers write 0001-01-01 and the like when they have no time
// (docs/quotes.md#time-of-a-record).
import type { Micros } from '../units.ts';

const earliest: Micros = Date.UTC(1970, 0, 1) * 1000;
const end: Micros = Date.UTC(2200, 0, 1) * 1000;

/** The time, or null if it is null, before 1970 or after 2199. */
export function plausibleTime(time: Micros | null): Micros | null {
  return time !== null && time >= earliest && time < end ? time : null;
}
