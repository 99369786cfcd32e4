// Cursors of the live segments listing: positions (seq:rows) in a log. Carry no signature and no game; whether a position
// still exists is asked of the log itself (I8, I9). Knows nothing of HTTP: a refusal is a value.
import { type LogSegment, type LogState, segmentOf } from './log-state.ts';

/** Everything up to the first `rows` rows of segment `seq` is consumed; 0:0 is "before everything". */
export type Cursor = { seq: number; rows: number };

export const beforeEverything: Cursor = { seq: 0, rows: 0 };

const cursorForm = /^([0-9]{1,15}):([0-9]{1,15})$/;

/** The cursor that `text` spells: two numbers of 1 to 15 digits; null for anything else (docs/interface.md#rebuilt-logs: 400). */
export function parseCursor(text: string): Cursor | null {
  const found = cursorForm.exec(text);
  return found === null ? null : { seq: Number(found[1]), rows: Number(found[2]) };
}

export function formatCursor(cursor: Cursor): string {
  return `${cursor.seq}:${cursor.rows}`;
}

export type ListedSegment = LogSegment & {
  /** Set on the cursor's own segment: the rows of it that the cursor has already consumed. */
  from_row?: number;
};

export type CursorAnswer =
  /** `omitted`: how many more segments follow those listed, behind `cursor`. */
  | { kind: 'list'; segments: readonly ListedSegment[]; omitted: number; cursor: Cursor }
  | { kind: 'refused'; code: 'live-cursor-reset' };

/** Whether the log holds the position: 0:0, or a segment with at least that many rows. docs/interface.md#cursor-rules. */
export function holds(log: LogState, cursor: Cursor): boolean {
  if (cursor.seq === 0) return cursor.rows === 0;
  const segment = segmentOf(log, cursor.seq);
  return segment !== undefined && segment.rows >= cursor.rows;
}

/** The position after all that the log holds. */
export function headOf(log: LogState): Cursor {
  const last = log.segments.at(-1);
  return last === undefined ? beforeEverything : { seq: last.seq, rows: last.rows };
}

/** Segments of one listing: with the operators that a game may hold they make a manifest of 256 KB at most. */
const mostListed = 512;

/**
 * What a listing after `cursor` contains; null lists from the beginning. Of more than `most` segments the first are listed, and the cursor
 * of the answer is that of the last of them: following it gives the others. When nothing is new the answer's cursor is the very object that
 * was asked with, so a route can echo it as it was written. docs/interface.md#cursor-rules; docs/interface.md#rebuilt-logs.
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
