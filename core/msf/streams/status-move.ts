// What MSF's two statuses make of a game's status, and which moves are legal (decisions.md 4). Unaware of feeds and of who is told.
import type { GameStatus } from '../../games/status.ts';

const moves: { readonly [From in GameStatus]: readonly GameStatus[] } = {
  SCHEDULED: ['DELAYED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  DELAYED: ['SCHEDULED', 'STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  POSTPONED: ['SCHEDULED', 'DELAYED', 'STARTED', 'COMPLETED', 'CANCELLED'],
  STARTED: ['SUSPENDED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  SUSPENDED: ['STARTED', 'COMPLETED', 'POSTPONED', 'CANCELLED'],
  // A correction to STARTED is an operator's, audited.
  COMPLETED: [],
  CANCELLED: [],
};

const unplayed = new Map<string, GameStatus>([
  ['NORMAL', 'SCHEDULED'],
  ['DELAYED', 'DELAYED'],
  ['POSTPONED', 'POSTPONED'],
]);

/** The status that MSF's two name; null where the table has none for them. decisions.md 4. */
export function gameStatusOf(playedStatus: string | null, scheduleStatus: string | null): GameStatus | null {
  switch (playedStatus) {
    case 'UNPLAYED':
      return unplayed.get(scheduleStatus ?? '') ?? null;
    case 'LIVE':
      return 'STARTED';
    case 'COMPLETED_PENDING_REVIEW':
    case 'COMPLETED':
      return 'COMPLETED';
    default:
      return null;
  }
}

/** Whether a game of status `from` may become `to`; the first sight (`from` null) takes any. decisions.md 4. */
export function mayMove(from: GameStatus | null, to: GameStatus): boolean {
  return from === null || moves[from].includes(to);
}
