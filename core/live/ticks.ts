// Ticks that speak to a whole partition: which of its games hear one, and what it does to them (docs/quotes.md#ticks). A game hears by what
// its own log has told before, so a replay gives the same boards. Unaware of the ticker and of what the catalog says.
import { hasEnded } from '../games/status.ts';
import { believedTime } from '../quotes/believed-times.ts';
import { isOver } from '../settlement/course.ts';
import type { Micros } from '../units.ts';
import { refreshStates } from './board.ts';
import { type GameState, hasOpenOffer, moveLogTime } from './game-state.ts';

/**
 * Whether a tick of its partition speaks to the game: it has an open offer, or it has ended and waits for its close — unless the newest
 * observation applied to it was source-timed. A game of a recording has the time of its records, which is another.
 */
export function isSpokenTo(game: GameState): boolean {
  const { status } = game.course;
  if (game.closed || game.receiveTimed === false) return false;
  return hasOpenOffer(game) || (status !== null && hasEnded(status.status));
}

/**
 * Folds a tick of a whole partition into those of its games that it speaks to; it may close one. `heard` is called for each of them with
 * the operators whose boards change: mostly none. `told` is what the tick says, `brokerTime` when the broker took it.
 */
export function tickGames(
  games: Iterable<GameState>,
  told: Micros,
  brokerTime: Micros,
  heard: (game: GameState, boardsChanged: readonly string[]) => void,
): void {
  const at = believedTime(told, brokerTime);
  for (const game of games) {
    if (!isSpokenTo(game)) continue;
    moveLogTime(game, at);
    const boardsChanged = refreshStates(game);
    game.closed = isOver(game.course, game.logTime);
    heard(game, boardsChanged);
  }
}
