// What a snapshot holds of a game, saved in one go.
import type { GameState } from '../../../core/live/game-state.ts';
import { savingGame } from '../../../core/live/saved-game.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';

export function saveGame(game: GameState): unknown {
  return runToEnd(savingGame(game));
}
