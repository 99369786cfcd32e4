// The source's own time of a record, and the codes that refuse it: docs/quotes.md#time-of-a-record.
import type { Json } from './json.ts';
import { readTime, second } from './times.ts';

export interface Timing {
  /** The gateway's receive time. */
  receivedAt: bigint;
  /** `X-Observed-At`, if it was sent. */
  header: bigint | undefined;
  mayBackfill: boolean;
}

const year2000 = readTime('2000-01-01T00:00:00Z')!;

/**
 * "A native event's own `observed_at`, else the wrapper's `timestamp`, else `X-Observed-At`": `said` is one of the
 * first two. Answers a time, `undefined` (receive-timed) or a code, in the order `forbidden-time`, `bad-time`,
 * `future-observation`.
 */
export function sourceTimeOf(said: Json | undefined, timing: Timing): bigint | undefined | string {
  if (said !== undefined && !timing.mayBackfill) return 'forbidden-time';
  let time = timing.header;
  if (said !== undefined) {
    time = said.kind === 'string' ? readTime(said.text) : undefined;
    if (time === undefined) return 'bad-time';
  }
  if (time === undefined) return undefined;
  if (time < year2000) return 'bad-time';
  if (time > timing.receivedAt + 5n * second) return 'future-observation';
  return time;
}
