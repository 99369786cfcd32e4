// The status of a game as it is shown. A start inferred from odds is computed at each reading and never stored, so it goes
// back by itself when the start moves. Unaware of who reads and of the time of day: log time alone decides.
import type { Micros } from '../units.ts';

type StatusFacts = {
  status: string;
  fromSchedule: boolean;
  scheduledStart: Micros;
  logTime: Micros | null;
  settled: boolean;
};

/**
 * STARTED where nothing but odds is known of the game and its start is not after log time (docs/quotes.md#scheduled-start); COMPLETED where it
 * was being played when it was closed, because its final files say that it is over; else the stored status.
 */
export function shownStatus(game: StatusFacts): string {
  if (game.settled) return game.status === 'STARTED' || game.status === 'SUSPENDED' ? 'COMPLETED' : game.status;
  const inferred =
    !game.fromSchedule && game.status === 'SCHEDULED' && game.logTime !== null && game.scheduledStart <= game.logTime;
  return inferred ? 'STARTED' : game.status;
}
