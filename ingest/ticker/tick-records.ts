// Ticks as records: time reaches the folds of games and scopes as events in their own partitions (docs/quotes.md#ticks;
// docs/revisions.md#archives). The ticker's go to whole partitions of quotes; the gateway's name their games. Independent of which games
// are due.

import { nilUuid } from '../../core/games/uuid.ts';
import { blankObservations } from '../../core/msf/streams/blank-record.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { Micros } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';

export type TickedGame = { gameUuid: string; gameId: string; league: string };

type TickedScope = { scopeUuid: string; scopeId: string; league: string };

/** One tick at `at` for each of these partitions of quotes, naming no single game. */
export function partitionTickRecords(partitions: readonly number[], at: Micros): OutgoingRecord[] {
  const value = { ...blankRecord({ uuid: nilUuid, gameId: '', league: '' }, '', at), tick: { at } };
  return partitions.map((partition) => ({ key: nilUuid, partition, value: value satisfies QuotesRecord }));
}

/** One tick at `at` for each game. */
export function tickRecords(games: readonly TickedGame[], at: Micros): OutgoingRecord[] {
  return games.map(({ gameUuid, gameId, league }) => ({
    key: gameUuid,
    value: { ...blankRecord({ uuid: gameUuid, gameId, league }, '', at), tick: { at } } satisfies QuotesRecord,
  }));
}

/** One tick at `at` for each scope. */
export function scopeTickRecords(scopes: readonly TickedScope[], at: Micros): OutgoingRecord[] {
  return scopes.map(({ scopeUuid, scopeId, league }) => ({
    key: scopeUuid,
    value: {
      ...blankObservations({ uuid: scopeUuid, id: scopeId, league }, '', at),
      tick: { at },
    } satisfies ObservationsRecord,
  }));
}
