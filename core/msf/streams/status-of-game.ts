// Maps MSF's two statuses to a game's status (docs/quotes.md#game-statuses). Independent of feeds, and of which moves are legal.
import type { GameStatus } from '../../games/status.ts';

const unplayed = new Map<string, GameStatus>([
  ['NORMAL', 'SCHEDULED'],
  ['DELAYED', 'DELAYED'],
  ['POSTPONED', 'POSTPONED'],
]);

/** The status for MSF's two statuses; null if the table has none. docs/quotes.md#game-statuses. */
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
