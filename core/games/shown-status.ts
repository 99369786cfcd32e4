// The status of a game as readers see it. A start inferred from odds is computed on each read and never stored, so it is undone when the
// start moves. Depends on log time alone, not on the reader or the clock.
import type { Micros } from '../units.ts';

type StatusFacts = {
  status: string;
  fromSchedule: boolean;
  scheduledStart: Micros;
  logTime: Micros | null;
  settled: boolean;
};

/**
 * STARTED if only odds are known of the game and log time has reached its start (docs/quotes.md#scheduled-start); COMPLETED if the game was
 * closed during play, because its final files say that it is over; otherwise the stored status.
 */
export function shownStatus(game: StatusFacts): string {
  if (game.settled) return game.status === 'STARTED' || game.status === 'SUSPENDED' ? 'COMPLETED' : game.status;
  const inferred =
    !game.fromSchedule && game.status === 'SCHEDULED' && game.logTime !== null && game.scheduledStart <= game.logTime;
  return inferred ? 'STARTED' : game.status;
}
