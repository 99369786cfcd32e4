// Cursors of the live segment listing: positions (seq:rows) in a log. A cursor is unsigned and names no game; the log itself decides
// whether the position still exists (I8, I9). Independent of HTTP: a refusal is a value.
import { type LogSegment, type LogState, segmentOf } from './log-state.ts';

/** The reader has consumed everything up to the first `rows` rows of segment `seq`; 0:0 is "before everything". */
export type Cursor = { seq: number; rows: number };

export const beforeEverything: Cursor = { seq: 0, rows: 0 };

const cursorForm = /^([0-9]{1,15}):([0-9]{1,15})$/;

/** Parses a cursor, two numbers of 1 to 15 digits; null for anything else (docs/interface.md#rebuilt-logs: 400). */
export function parseCursor(text: string): Cursor | null {
  const found = cursorForm.exec(text);
  return found === null ? null : { seq: Number(found[1]), rows: Number(found[2]) };
}

export function formatCursor(cursor: Cursor): string {
  return `${cursor.seq}:${cursor.rows}`;
}

type ListedSegment = LogSegment & {
  /** Only on the cursor's own segment: how many of its rows the reader has consumed. */
  from_row?: number;
};

export type PageAnswer =
  /** The rows [from, to) of segment `seq`; none where nothing follows the cursor. */
  { kind: 'page'; seq: number; from: number; to: number } | { kind: 'refused'; code: 'live-cursor-reset' };

export type CursorAnswer =
  /** `omitted`: how many segments after `cursor` the listing leaves out. */
  | { kind: 'list'; segments: readonly ListedSegment[]; omitted: number; cursor: Cursor }
  | { kind: 'refused'; code: 'live-cursor-reset' };

/** Whether the log holds the position: 0:0, or a segment with at least that many rows. docs/interface.md#cursor-rules. */
function holds(log: LogState, cursor: Cursor): boolean {
  if (cursor.seq === 0) return cursor.rows === 0;
  const segment = segmentOf(log, cursor.seq);
  return segment !== undefined && segment.rows >= cursor.rows;
}

/** The position after the last row of the log. */
export function headOf(log: LogState): Cursor {
  const last = log.segments.at(-1);
  return last === undefined ? beforeEverything : { seq: last.seq, rows: last.rows };
}

/**
 * The rows after `cursor` that one answer gives: at most `limit`, and of one segment, which is what a read is charged by. The position after
 * them is `seq:to`. docs/interface.md#rows.
 */
export function pageAfter(log: LogState, cursor: Cursor, limit: number): PageAnswer {
  if (!holds(log, cursor)) return { kind: 'refused', code: 'live-cursor-reset' };
  const own = segmentOf(log, cursor.seq);
  if (own !== undefined && own.rows > cursor.rows) {
    return { kind: 'page', seq: own.seq, from: cursor.rows, to: Math.min(own.rows, cursor.rows + limit) };
  }
  const next = segmentOf(log, Math.max(cursor.seq + 1, log.firstSeq));
  if (next === undefined) return { kind: 'page', seq: cursor.seq, from: cursor.rows, to: cursor.rows };
  return { kind: 'page', seq: next.seq, from: 0, to: Math.min(next.rows, limit) };
}

/** Most segments in one listing. With the most sportsbooks a game may hold, this keeps a manifest under 256 KB. */
const mostListed = 512;

/**
 * Lists the segments after `cursor`; null lists from the beginning. If there are more than `most`, it lists the first ones and returns the
 * cursor of the last of them, so that the reader can follow it to the others. When nothing is new, it returns the same cursor object, so
 * that a route can echo the text it was given. docs/interface.md#cursor-rules; docs/interface.md#rebuilt-logs.
 */
export function listAfter(log: LogState, cursor: Cursor | null, most = mostListed): CursorAnswer {
  const from = cursor ?? beforeEverything;
  if (!holds(log, from)) return { kind: 'refused', code: 'live-cursor-reset' };
  const segments: ListedSegment[] = [];
  const own = segmentOf(log, from.seq);
  if (own !== undefined && own.rows > from.rows) segments.push({ ...own, from_row: from.rows });
  const next = Math.max(from.seq + 1, log.firstSeq);
  for (let seq = next; segments.length < most; seq += 1) {
    const segment = segmentOf(log, seq);
    if (segment === undefined) break;
    segments.push(segment);
  }
  const last = segments.at(-1);
  if (last === undefined) return { kind: 'list', segments, omitted: 0, cursor: cursor ?? headOf(log) };
  const omitted = headOf(log).seq - last.seq;
  return { kind: 'list', segments, omitted, cursor: { seq: last.seq, rows: last.rows } };
}
