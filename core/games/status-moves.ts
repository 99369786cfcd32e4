// Which status changes of a game are legal (docs/quotes.md#game-statuses). Independent of their origin and their effect.
import type { GameStatus } from './status.ts';

const moves: { readonly [From in GameStatus]: readonly GameStatus[] } = {
  SCHEDULED: ['DELAYED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  DELAYED: ['SCHEDULED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  POSTPONED: ['SCHEDULED', 'DELAYED', 'STARTED', 'COMPLETED', 'CANCELLED'],
  STARTED: ['SUSPENDED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  SUSPENDED: ['STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  // Only the administrator can move it back to STARTED: `movesByHand`.
  COMPLETED: [],
  CANCELLED: [],
};

/** Whether a game may change from status `from` to `to`; a game without a status (null) may take any. docs/quotes.md#game-statuses. */
export function mayMove(from: GameStatus | null, to: GameStatus): boolean {
  return from === null || moves[from].includes(to);
}

/** The statuses to which the administrator may move a game: those a feed may, and from COMPLETED back to STARTED as a correction. */
export function movesByHand(from: GameStatus): readonly GameStatus[] {
  return from === 'COMPLETED' ? ['STARTED'] : moves[from];
}
