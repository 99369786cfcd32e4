// Cursors of the live segments listing: positions (seq:rows) in a log. Carry no signature and no game; whether a position
// still exists is asked of the log itself (I8, I9). Knows nothing of HTTP: a refusal is a value.
import { type LogSegment, type LogState, segmentOf } from './log-state.ts';

/** Everything up to the first `rows` rows of segment `seq` is consumed; 0:0 is "before everything". */
export type Cursor = { seq: number; rows: number };

export const beforeEverything: Cursor = { seq: 0, rows: 0 };

const cursorForm = /^([0-9]{1,15}):([0-9]{1,15})$/;

/** The cursor that `text` spells: two numbers of 1 to 15 digits; null for anything else (decision 20: 400). */
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
  | { kind: 'list'; segments: readonly ListedSegment[]; cursor: Cursor }
  | { kind: 'refused'; code: 'live-cursor-reset' };

/** Whether the log holds the position: 0:0, or a segment with at least that many rows. Interface, "Cursor rules". */
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

/**
 * What a listing after `cursor` contains; null lists all. When nothing is new the answer's cursor is the very object that
 * was asked with, so a route can echo it as it was written. Interface, "Cursor rules"; decision 20.
 */
export function listAfter(log: LogState, cursor: Cursor | null): CursorAnswer {
  if (cursor === null) return { kind: 'list', segments: log.segments, cursor: headOf(log) };
  if (!holds(log, cursor)) return { kind: 'refused', code: 'live-cursor-reset' };
  const segments: ListedSegment[] = [];
  const own = segmentOf(log, cursor.seq);
  if (own !== undefined && own.rows > cursor.rows) segments.push({ ...own, from_row: cursor.rows });
  for (let seq = Math.max(cursor.seq + 1, log.firstSeq); ; seq += 1) {
    const segment = segmentOf(log, seq);
    if (segment === undefined) break;
    segments.push(segment);
  }
  return { kind: 'list', segments, cursor: segments.length === 0 ? cursor : headOf(log) };
}
