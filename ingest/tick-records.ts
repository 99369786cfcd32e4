// A tick as records of the quotes topic: time reaches the folds of these games as events of their own partitions (quotes.md, Folding 11).
import type { OutgoingRecord } from '../core/ports/broker.ts';
import { blankRecord } from '../core/quotes/blank-record.ts';
import type { Micros } from '../core/units.ts';
import type { QuotesRecord } from '../schemas/events/quotes.ts';

export type TickedGame = { gameUuid: string; gameId: string; league: string };

/** One tick at `at` for each game. */
export function tickRecords(games: readonly TickedGame[], at: Micros): OutgoingRecord[] {
  return games.map(({ gameUuid, gameId, league }) => ({
    key: gameUuid,
    value: { ...blankRecord({ uuid: gameUuid, gameId, league }, '', at), tick: { at } } satisfies QuotesRecord,
  }));
}
