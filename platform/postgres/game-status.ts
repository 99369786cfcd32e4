// The administrator's word on a game's status: the status, the records that tell it to the folds of the game's quotes and of what MSF says of
// it, and the audit row stand together or not at all. The forwarder puts the records into the log.
import { blankObservations } from '../../core/msf/streams/blank-record.ts';
import type { StatusByHand } from '../../core/ports/catalog/games.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import { topics } from '../../schemas/events/topics.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

/** False where the game's status is no longer `from`: nothing is done then. */
export async function moveByHand(sql: Sql, { game, from, to, at, actor }: StatusByHand): Promise<boolean> {
  const { uuid, gameId, league } = game;
  const toQuotes = { ...blankRecord(game, 'service', at), status: { status: to, at } };
  const toObservations = {
    ...blankObservations({ uuid, id: gameId, league }, 'service', at),
    status: { from, to, at },
  };
  return inTransaction(sql, async (tx) => {
    // Locked before it is compared: a projector may be about to move it.
    const { rows } = await tx.query('select status from games where id = $1 for update', [uuid]);
    if (rows[0]?.status !== from) return false;
    await tx.query('update games set status = $2 where id = $1', [uuid, to]);
    await tx.query('insert into outbox (topic, key, value) values ($2, $1, $3::jsonb), ($4, $1, $5::jsonb)', [
      uuid,
      topics.quotes,
      jsonParameter(toQuotes),
      topics.observations,
      jsonParameter(toObservations),
    ]);
    await tx.query(`insert into audit (actor, action, subject, detail) values ($1, 'games status', $2, $3::jsonb)`, [
      textParameter(actor),
      gameId,
      jsonParameter({ from, to }),
    ]);
    return true;
  });
}
