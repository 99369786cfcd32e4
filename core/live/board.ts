// Boards: the open and suspended selections of a sportsbook with the state of each, and when the board last changed. A board depends only
// on the records of the log so far, never on flushes: a change that is undone within one flush still moves `operator_observed_through`
// (I10).
import type { GameState, OperatorState } from './game-state.ts';
import { findOperator, gameStart } from './game-state.ts';
import { quoteState, staleFrom } from './quote-state.ts';
import type { BoardRow } from './types.ts';

/**
 * The rows of the sportsbook's board file at this point of the log; empty when nothing is on offer or the sportsbook never had a row.
 * docs/quotes.md#the-board.
 */
export function boardRows(game: GameState, operator: string): BoardRow[] {
  const state = findOperator(game, operator);
  if (state === undefined || state.boardThrough === null) return [];
  const through = state.boardThrough;
  return state.live.map(({ row, missing }) => ({
    ...row,
    last_changed_at: row.timestamp,
    operator_observed_through: through,
    quote_state: quoteState(missing, state.stale),
  }));
}

/** Sportsbooks with a board file and an entry in the manifest: those with a row in this log (docs/interface.md#live-manifest). */
export function operatorsWithRows(game: GameState): OperatorState[] {
  return game.operators.filter((operator) => operator.lastRowAt !== null);
}

/**
 * Updates every sportsbook's staleness after a record or tick. Returns the codes whose rows or states changed, including by the rows of
 * that record. Costs one comparison per sportsbook, however many selections it has.
 */
export function refreshStates(game: GameState): readonly string[] {
  let changed: string[] = noBoards;
  for (const operator of game.operators) {
    if (operator.watermark === null) continue;
    const before = operator.stale;
    operator.stale = isStale(game, operator);
    if (boardChanged(operator, before)) {
      operator.boardThrough = operator.watermark;
      if (changed === noBoards) changed = [operator.code];
      else changed.push(operator.code);
    }
    operator.changedRows = 0;
    operator.wentMissing = 0;
    operator.cameBack = 0;
  }
  return changed;
}

/** The usual result of a record or tick; shared, so never written to. */
const noBoards: string[] = [];

/** Whether the sportsbook's quotes are too old to trust at the game's log time. */
export function isStale(game: GameState, operator: OperatorState): boolean {
  if (operator.watermark === null || game.logTime === null) return false;
  const start = operator.owner?.start ?? gameStart(game);
  return game.logTime >= staleFrom(operator.watermark, start, operator.inPlay);
}

/** Whether the record changed the sportsbook's rows, or the state of one of them. */
function boardChanged(operator: OperatorState, staleBefore: boolean): boolean {
  if (operator.changedRows > 0) return true;
  if (staleBefore === operator.stale) return !operator.stale && operator.wentMissing + operator.cameBack > 0;
  // Staleness changes the rows that are not missing: when it begins, those present before the record; when it ends, those present after it.
  const present = operator.live.length - operator.missing;
  return (operator.stale ? present + operator.wentMissing - operator.cameBack : present) > 0;
}
