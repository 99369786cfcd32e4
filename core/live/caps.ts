// How much one game may hold (docs/quotes.md#caps). What is beyond is refused beside its neighbours, so that no record, pushed or put straight
// into the log, makes a state, a board or a manifest that everybody else has to carry.
import { findOperator, type GameState } from './game-state.ts';

/** Operators that a game holds: those that an applied record has named, a heartbeat included. */
export const mostOperators = 400;
/** Selections that an operator ever had in a game. */
export const mostSelections = 20_000;

/** Says of each operator of a record, asked once and in the order of its entries, whether the game holds it or has room for it. */
export function roomFor(game: GameState): (code: string) => boolean {
  let room = mostOperators - game.operators.length;
  return (code) => {
    if (findOperator(game, code) !== undefined) return true;
    room -= 1;
    return room >= 0;
  };
}
