// What MSF's two statuses make of a game's status (docs/quotes.md#game-statuses). Unaware of feeds, and of which moves are legal.
import type { GameStatus } from '../../games/status.ts';

const unplayed = new Map<string, GameStatus>([
  ['NORMAL', 'SCHEDULED'],
  ['DELAYED', 'DELAYED'],
  ['POSTPONED', 'POSTPONED'],
]);

/** The status that MSF's two name; null where the table has none for them. docs/quotes.md#game-statuses. */
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
