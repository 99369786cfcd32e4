// Boards: an operator's open and suspended selections with the state of each, and the bookkeeping of when a board changed.
// A board is a function of the log's prefix, record by record; of flushes it knows nothing, so a change that is undone
// within one flush still moves `operator_observed_through` (I10).
import type { GameState, OperatorState } from './game-state.ts';
import { findOperator, gameStart } from './game-state.ts';
import { quoteState, staleFrom } from './quote-state.ts';
import type { BoardRow } from './types.ts';

/** The operator's board file as the log stands; empty when nothing is left or it never had a row. docs/quotes.md#the-board. */
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

/** Operators that have a board file and an entry in the manifest: those with a row in this log (docs/interface.md#live-manifest). */
export function operatorsWithRows(game: GameState): OperatorState[] {
  return game.operators.filter((operator) => operator.lastRowAt !== null);
}

/**
 * Brings every operator's staleness to where log time, starts, owners and flags now are, and returns the operators whose rows
 * or states have thereby changed, by the rows of the record just folded included. Called after each record and tick; costs a
 * comparison per operator, whatever the number of selections.
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

/** What nearly every record and tick returns; never written to. */
const noBoards: string[] = [];

/** Whether the operator's quotes are too old to be believed at the game's log time. */
export function isStale(game: GameState, operator: OperatorState): boolean {
  if (operator.watermark === null || game.logTime === null) return false;
  const start = operator.owner?.start ?? gameStart(game);
  return game.logTime >= staleFrom(operator.watermark, start, operator.inPlay);
}

/** Whether the operator's rows, or the state of one of them, differ from before the record. */
function boardChanged(operator: OperatorState, staleBefore: boolean): boolean {
  if (operator.changedRows > 0) return true;
  if (staleBefore === operator.stale) return !operator.stale && operator.wentMissing + operator.cameBack > 0;
  // Staleness shows on the rows that are not missing: those before the record when it sets in, those after it when it ends.
  const present = operator.live.length - operator.missing;
  return (operator.stale ? present + operator.wentMissing - operator.cameBack : present) > 0;
}
