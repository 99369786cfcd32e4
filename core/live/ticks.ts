// Ticks of a partition: which of its games they apply to, and what they do (docs/quotes.md#ticks). This depends only on the game's own
// earlier records, so a replay gives the same boards. Independent of the ticker and the catalog.
import { hasEnded } from '../games/status.ts';
import { believedTime } from '../quotes/believed-times.ts';
import { isOver } from '../settlement/game-lifecycle.ts';
import type { Micros } from '../units.ts';
import { refreshStates } from './board.ts';
import { type GameState, hasOpenOffer, hasReachedStart, moveLogTime } from './game-state.ts';

/**
 * Whether ticks of the partition apply to the game: it has an open offer, or it has ended and waits for its close. A game whose newest
 * applied observation was source-timed, such as a recording, gets no ticks: its time is that of its records.
 */
export function takesTicks(game: GameState): boolean {
  const { status } = game.lifecycle;
  if (game.closed || game.receiveTimed === false) return false;
  return hasOpenOffer(game) || (status !== null && hasEnded(status.status));
}

/** What a tick changes of a game: the sportsbooks whose boards change, mostly none; whether log time reaches the start. */
export type Ticked = { boardsChanged: readonly string[]; reachesStart: boolean };

/**
 * Applies a tick to the games of a partition that take ticks; it may close one. Calls `onTicked` for each of them. `tickedAt` is the tick's
 * own time, `brokerTime` the time at which the broker stored it.
 */
export function tickGames(
  games: Iterable<GameState>,
  tickedAt: Micros,
  brokerTime: Micros,
  onTicked: (game: GameState, ticked: Ticked) => void,
): void {
  const at = believedTime(tickedAt, brokerTime);
  for (const game of games) {
    if (!takesTicks(game)) continue;
    const hadReached = hasReachedStart(game);
    moveLogTime(game, at);
    const boardsChanged = refreshStates(game);
    game.closed = isOver(game.lifecycle, game.logTime);
    onTicked(game, { boardsChanged, reachesStart: !hadReached && hasReachedStart(game) });
  }
}
