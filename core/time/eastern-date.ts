// The Eastern calendar date of a moment (IANA America/New_York, including DST): for game days and the date in public ids.
import { type Micros, microsPerHour } from '../units.ts';

const format = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

// Since 1901 Eastern offsets are whole hours, so all moments of one UTC hour share their date.
const wholeHourOffsetsFrom = Date.UTC(1901, 0, 1) * 1000;
const memory = new Map<number, string>();
const memoryLimit = 4_096;

/** `YYYY-MM-DD` in New York at `time`. docs/interface.md#game-id. */
export function easternDate(time: Micros): string {
  if (time < wholeHourOffsetsFrom) return format.format(Math.floor(time / 1000));
  const hour = Math.floor(time / microsPerHour);
  const remembered = memory.get(hour);
  if (remembered !== undefined) return remembered;
  const date = format.format(hour * 3_600_000);
  if (memory.size >= memoryLimit) memory.clear();
  memory.set(hour, date);
  return date;
}
