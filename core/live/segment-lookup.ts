// Looks up one segment by `seq`, optionally with the `rows` that a listing promised. A (seq, rows) pair always means the same rows, so a
// log that cannot honour the promise says so and never serves fewer (I1, I9).
import { type LogSegment, type LogState, segmentOf } from './log-state.ts';

const seqForm = /^[0-9]{1,15}$/;

/** Parses the `seq` of a path; null for anything that cannot be one (docs/interface.md#problem-types: 404). */
export function parseSeq(text: string): number | null {
  return seqForm.test(text) ? Number(text) : null;
}

/** Parses the `rows` of a query: 1 to 15 digits, at least 1; null for anything else (docs/interface.md#rebuilt-logs: 400). */
export function parseRows(text: string): number | null {
  const rows = seqForm.test(text) ? Number(text) : 0;
  return rows >= 1 ? rows : null;
}

type SegmentAnswer =
  | { kind: 'serve'; segment: LogSegment }
  | { kind: 'behind'; code: 'live-segment-behind' }
  | { kind: 'not-found' };

/** Which segment answers a request for `seq` with `rows` (null: not given). docs/interface.md#segment. */
export function lookUpSegment(log: LogState, seq: number, rows: number | null): SegmentAnswer {
  if (seq < 1) return { kind: 'not-found' };
  const segment = segmentOf(log, seq);
  if (segment === undefined) {
    return seq < log.firstSeq && rows !== null
      ? { kind: 'behind', code: 'live-segment-behind' }
      : { kind: 'not-found' };
  }
  if (rows !== null && segment.rows < rows) return { kind: 'behind', code: 'live-segment-behind' };
  return { kind: 'serve', segment };
}
