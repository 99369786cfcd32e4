// Where a reader of a game's moves is: a cursor of its live log, and the number of the last row before it, by which the reader goes on in the
// final file once the log is gone (docs/settlement.md#sportsbook-lines). `2:1312@9504` in the live log, `final@9504` in the final file.

/** `live` undefined: at the beginning; null: in the final file. `row` null: not known, because the cursor is the API's own. */
export type MovesCursor = { live: string | undefined | null; row: number | null };

export const movesCursorForm = /^(?:\d{1,15}:\d{1,15}(?:@\d{1,15})?|final@\d{1,15})$/;

/** `text` is of this form, or undefined for the beginning. */
export function movesCursorOf(text: string | undefined): MovesCursor {
  if (text === undefined) return { live: undefined, row: 0 };
  const [live, row] = text.split('@') as [string, string | undefined];
  return { live: live === 'final' ? null : live, row: row === undefined ? null : Number(row) };
}

export function movesCursorText({ live, row }: MovesCursor): string | undefined {
  const place = live === null ? 'final' : live;
  return place === undefined || row === null ? place : `${place}@${row}`;
}

/** The cursor before the last `count` rows of its page, whose rows are of one segment; `row`: the number of the row before those. */
export function rowsBack(cursor: string, count: number, row: number | null): MovesCursor {
  const [seq, rows] = cursor.split(':').map(Number);
  return { live: `${seq}:${Number(rows) - count}`, row };
}

/**
 * After which row of the final file a cursor of the live log leads on; null: that is not known. `firstSeq`: that of the log whose rows the
 * file holds, where the API says so; a lower `seq` is of an older log, whose rows were others (docs/interface.md#from-live-to-final).
 */
export function rowInFinal({ live, row }: MovesCursor, firstSeq: unknown): number | null {
  const seq = Number(live?.split(':')[0] ?? 0);
  return seq === 0 || (typeof firstSeq === 'number' && seq >= firstSeq) ? row : null;
}
