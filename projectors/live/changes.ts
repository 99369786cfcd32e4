// The results of folding since the last flush, per game: rows by segment, changed boards, changed facts; and the outcome of each record. Every
// flush empties it.

import type { QuoteRow } from '../../core/live/types.ts';
import type { ClosedSegment, SettlementMove } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { WaitingReceipts } from '../worker/receipts.ts';
import type { WaitingDeadLetters } from '../worker/record-dead-letters.ts';

/** A log that replaces another: its closed, already written segments, and the files of the replaced log. */
export type StartedOver = { closed: readonly ClosedSegment[]; supersedes: readonly FileRef[] };

/** New rows of one segment. */
export type Piece = { seq: number; rows: QuoteRow[] };

/** `startedOver`: the log takes the place of the one that is published, and its first segments are written already. */
export type GameChanges = { pieces: Piece[]; boards: Set<string>; startedOver: StartedOver | null };

export type LiveChanges = WaitingDeadLetters &
  WaitingReceipts & {
    games: Map<string, GameChanges>;
    /** By game: whether it waits for its close, or is closed. */
    settlements: Map<string, SettlementMove>;
  };

export function noLiveChanges(): LiveChanges {
  return { games: new Map(), settlements: new Map(), deadLetters: [], deadLetterBytes: 0, receipts: new Map() };
}

/** The changes of one game, made on first use: a game in the map is published by the next flush. */
export function changesOf(changes: LiveChanges, uuid: string): GameChanges {
  let game = changes.games.get(uuid);
  if (game === undefined) {
    game = { pieces: [], boards: new Set(), startedOver: null };
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
