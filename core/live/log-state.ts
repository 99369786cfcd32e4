// One game's log as readers see it: its segments and the rows of each. Plain data made by the catalog; cursors and segment requests are
// checked against it.
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
