// When a reader of a stream should poll again, from its game's state and the time (docs/interface.md#poll-hint). Independent of readers and
// clocks.
import { shownStatus } from '../../games/shown-status.ts';
import type { CatalogGame } from '../../ports/catalog/games.ts';
import { easternDate } from '../../time/eastern-date.ts';
import { type Micros, microsPerHour } from '../../units.ts';

type Game = Pick<CatalogGame, 'status' | 'fromSchedule' | 'scheduledStart' | 'logTime' | 'gameDate' | 'settled'>;

/** Statuses before a start. In MSF a postponed game remains postponed until it is played, at its new time. */
const waiting: ReadonlySet<string> = new Set(['SCHEDULED', 'DELAYED', 'POSTPONED']);

/** Seconds: 5 when live, 30 within an hour of the start, 300 on game day, 3600 otherwise or without a game. docs/interface.md#poll-hint. */
export function pollAfter(game: Game | null, now: Micros): number {
  if (game === null) return 3_600;
  const status = shownStatus(game);
  if (status === 'STARTED') return 5;
  if (waiting.has(status) && Math.abs(game.scheduledStart - now) <= microsPerHour) return 30;
  return easternDate(now) === game.gameDate ? 300 : 3_600;
}
