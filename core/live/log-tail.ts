// The end of one game's log: numbers rows and cuts segments as they are appended. Row numbers have no gaps, and a cut depends
// on rows alone (I2, I3).
import type { GameState } from './game-state.ts';
import { opensNewSegment } from './segment-cut.ts';
import type { QuoteRow } from './types.ts';

/** The rows one record appended, and the indexes among them at which a new segment opens. */
export type Appended = { rows: QuoteRow[]; segmentStarts: number[] };

/** Appends a row to the game's log and gives it its number. */
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
