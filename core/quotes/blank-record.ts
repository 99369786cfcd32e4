// The frame of a record of `sds.quotes.v1`: game, source and time. The caller adds the content.
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { Micros } from '../units.ts';

/** A record without content. */
export function blankRecord(
  game: { uuid: string; gameId: string; league: string },
  source: string,
  receivedAt: Micros,
): QuotesRecord {
  return {
    game_uuid: game.uuid,
    game_id: game.gameId,
    league: game.league,
    source,
    received_at: receivedAt,
    push: null,
    push_index: null,
    rank: null,
    observation: null,
    start: null,
    status: null,
    owner: null,
    tick: null,
    settle: null,
  };
}
