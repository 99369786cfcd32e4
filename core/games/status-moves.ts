// Which moves of a game's status are legal (docs/quotes.md#game-statuses). Unaware of what tells them and of what they do.
import type { GameStatus } from './status.ts';

const moves: { readonly [From in GameStatus]: readonly GameStatus[] } = {
  SCHEDULED: ['DELAYED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  DELAYED: ['SCHEDULED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  POSTPONED: ['SCHEDULED', 'DELAYED', 'STARTED', 'COMPLETED', 'CANCELLED'],
  STARTED: ['SUSPENDED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  SUSPENDED: ['STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  // Back to STARTED only by hand: `movesByHand`.
  COMPLETED: [],
  CANCELLED: [],
};

/** Whether a game of status `from` may become `to`; the first sight (`from` null) takes any. docs/quotes.md#game-statuses. */
export function mayMove(from: GameStatus | null, to: GameStatus): boolean {
  return from === null || moves[from].includes(to);
}

/** Where the administrator may move a game of status `from`: where a feed may, and from COMPLETED back to STARTED, as a correction. */
export function movesByHand(from: GameStatus): readonly GameStatus[] {
  return from === 'COMPLETED' ? ['STARTED'] : moves[from];
}
