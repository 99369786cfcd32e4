// Where the live log is cut. Depends on rows alone, never on files, flushes or the clock, so a replay cuts at the same rows at any speed
// and in any batches (I2, I21). A change of where it is cut raises `foldRules` (log-version.ts).
import type { Micros } from '../units.ts';
import { microsPerMinute } from '../units.ts';

const maxRows = 8_192;
const minRowsToAge = 512;
const maxSpan: Micros = 15 * microsPerMinute;

/** Whether a row stamped `timestamp` opens a new segment after `open`. docs/quotes.md#cutting-segments. */
export function opensNewSegment(open: { rows: number; firstTimestamp: Micros }, timestamp: Micros): boolean {
  if (open.rows >= maxRows) return true;
  return open.rows >= minRowsToAge && timestamp - open.firstTimestamp >= maxSpan;
}
