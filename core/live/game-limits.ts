// Limits on what one game may hold (docs/quotes.md#caps). A record's excess entries are refused and the rest is applied, so no record,
// whether pushed or written straight to the log, can grow a state, a board or a manifest at the expense of everyone else.
import { findOperator, type GameState } from './game-state.ts';

/** Sportsbooks of a game: all that an applied record has named, even in a heartbeat. */
export const mostOperators = 400;
/** Selections that a sportsbook has ever had in a game. */
export const mostSelections = 20_000;

/**
 * Returns a check for the sportsbooks of one record: whether the game holds the sportsbook or has room for it. Call it once per entry, in
 * order.
 */
export function roomFor(game: GameState): (code: string) => boolean {
  let room = mostOperators - game.operators.length;
  return (code) => {
    if (findOperator(game, code) !== undefined) return true;
    room -= 1;
    return room >= 0;
  };
}
