// One game's log as its readers see it: which segments it holds and how many rows each. Plain data; the catalog makes it,
// cursors and segment requests are judged against it.
import type { Micros } from '../units.ts';

export type LogSegment = {
  seq: number;
  rows: number;
  closed: boolean;
  min_timestamp: Micros;
  max_timestamp: Micros;
};

/** `segments` in order of `seq`, contiguous from `firstSeq`; only the last may be open. Empty while the log has no row. */
export type LogState = { generation: number; firstSeq: number; segments: readonly LogSegment[] };

/** The segment `seq` of the log, if it holds one. */
export function segmentOf(log: LogState, seq: number): LogSegment | undefined {
  return seq < log.firstSeq ? undefined : log.segments[seq - log.firstSeq];
}
