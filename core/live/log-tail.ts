// The end of one game's log: numbers rows and cuts segments as rows are appended. Row numbers have no gaps, and where a segment is cut
// depends on rows alone (I2, I3).
import type { GameState } from './game-state.ts';
import { opensNewSegment } from './segment-cut.ts';
import type { QuoteRow } from './types.ts';

/** The rows that one record appended, and the indexes at which a new segment opens. */
export type Appended = { rows: QuoteRow[]; segmentStarts: number[] };

/** Numbers a row and appends it to the game's log. */
export function appendRow(game: GameState, row: QuoteRow, appended: Appended): void {
  const time = row.timestamp;
  const open = game.segment;
  if (open === null || opensNewSegment(open, time)) {
    const seq = open === null ? game.firstSeq : open.seq + 1;
    game.segment = { seq, rows: 1, firstTimestamp: time };
    appended.segmentStarts.push(appended.rows.length);
  } else {
    open.rows += 1;
  }
  game.rows += 1;
  row.row_number = game.rows;
  appended.rows.push(row);
}
