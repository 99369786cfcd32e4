// The events bound to a game, and how the administrator unbinds one. A notice makes gateways drop their cached events.

import { foundedUuid } from '../../core/games/founding.ts';
import type { EventOfGame } from '../../core/ports/catalog/games.ts';
import { gameIdOf } from './games-rows.ts';
import { lockGames } from './resolve-games.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

const channel = 'bindings';

/** The events of a game, its founder's first. */
export async function eventsOf(sql: Sql, gameUuid: string): Promise<EventOfGame[]> {
  const { rows } = await sql.query(
    `select e.source, e.event_id, e.commence_time from game_events e join games g on g.id = e.game_uuid
     where g.id = $1 order by e.source <> g.founder_source, e.source, e.event_id`,
    [gameUuid],
    'events_of_game',
  );
  return rows.map(
    (row) => ({ source: row.source, eventId: row.event_id, commenceTime: row.commence_time }) as EventOfGame,
  );
}

/** Unbinds an event from its game, with an audit row; returns the game's UUID, or null if the event is not bound. */
export async function unbindEvent(sql: Sql, source: string, eventId: string, actor: string): Promise<string | null> {
  return inTransaction(sql, async (tx) => {
    await lockGames(tx);
    const { rows } = await tx.query(
      'select game_uuid, lost from game_events where source = $1 and event_id = $2 and game_uuid is not null for update',
      [source, textParameter(eventId)],
    );
    const [bound] = rows;
    if (bound === undefined) return null;
    const gameUuid = bound.game_uuid as string;
    const lost = bound.lost as number;
    const isItsNewest = gameUuid === foundedUuid(source, eventId, lost);
    await tx.query('update game_events set game_uuid = null, lost = $3 where source = $1 and event_id = $2', [
      source,
      eventId,
      isItsNewest ? lost + 1 : lost,
    ]);
    await tx.query(
      `insert into audit (actor, action, subject, detail)
       select $1, 'games unbind', ${gameIdOf}, $3::jsonb from games g where g.id = $2`,
      [textParameter(actor), gameUuid, jsonParameter({ source, event_id: eventId })],
    );
    await tx.query('select pg_notify($1, $2)', [channel, jsonParameter([source, eventId])]);
    return gameUuid;
  });
}

/** Calls back for each event that is unbound; calls `lost` after a broken connection: any may have been unbound. */
export function watchUnbound(
  sql: Sql,
  handlers: { unbound(source: string, eventId: string): void; lost(): void },
): Promise<() => Promise<void>> {
  const onNotice = (payload: string): void => {
    const [source, eventId] = JSON.parse(payload) as [string, string];
    handlers.unbound(source, eventId);
  };
  return sql.listen(channel, onNotice, handlers.lost);
}
