// What folding has made since the last flush, per game: rows by segment, boards that changed, facts that moved; and what the records
// themselves became. Emptied by every plan; a replay up to the checkpoint throws it away.

import type { QuoteRow } from '../../core/live/types.ts';
import type { ReceiptFold, ReceiptRecord } from '../../core/ports/catalog/live.ts';
import type { WaitingLetters } from '../worker/record-letters.ts';

/** New rows of one segment. */
export type Piece = { seq: number; rows: QuoteRow[] };

export type GameChanges = { pieces: Piece[]; boards: Set<string> };

export type ReceiptChanges = {
  receipt: string;
  source: string;
  applied: number[];
  duplicates: number[];
  refused: number[];
  records: ReceiptRecord[];
};

export type LiveChanges = WaitingLetters & {
  games: Map<string, GameChanges>;
  /** By receipt and source, which need not be the receipt's. */
  receipts: Map<string, ReceiptChanges>;
};

export function noLiveChanges(): LiveChanges {
  return { games: new Map(), deadLetters: [], letterBytes: 0, receipts: new Map() };
}

/** The changes of one game, made on first use: a game in the map is published by the next flush. */
export function changesOf(changes: LiveChanges, uuid: string): GameChanges {
  let game = changes.games.get(uuid);
  if (game === undefined) {
    game = { pieces: [], boards: new Set() };
    changes.games.set(uuid, game);
  }
  return game;
}

/** Appends rows, of which those at `segmentStarts` open a new segment. `seq` is the segment that was open before them, 0 for none. */
export function appendRows(
  game: GameChanges,
  seq: number,
  firstSeq: number,
  rows: readonly QuoteRow[],
  segmentStarts: readonly number[],
): void {
  let current = seq;
  let starts = 0;
  rows.forEach((row, index) => {
    if (segmentStarts[starts] === index) {
      starts += 1;
      current = current === 0 ? firstSeq : current + 1;
    }
    const last = game.pieces.at(-1);
    if (last?.seq === current) last.rows.push(row);
    else game.pieces.push({ seq: current, rows: [row] });
  });
}

/** What the records of `source` that name `receipt` have come to, made on first use. A source's name has no space. */
export function receiptOf(changes: Pick<LiveChanges, 'receipts'>, receipt: string, source: string): ReceiptChanges {
  const name = `${source} ${receipt}`;
  let fold = changes.receipts.get(name);
  if (fold === undefined) {
    fold = { receipt, source, applied: [], duplicates: [], refused: [], records: [] };
    changes.receipts.set(name, fold);
  }
  return fold;
}

/** Receipts in the form of a commit. */
export function receiptFolds(changes: Pick<LiveChanges, 'receipts'>): ReceiptFold[] {
  return [...changes.receipts.values()];
}
