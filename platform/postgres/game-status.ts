// The administrator's word on a game's status: the status, the record that tells it to the fold of the game's quotes, and the audit row stand
// together or not at all. The forwarder puts the record into the log.
import type { StatusByHand } from '../../core/ports/catalog/games.ts';
import { topics } from '../../schemas/events/topics.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

/** False where the game's status is no longer `from`: nothing is done then. */
export async function moveByHand(sql: Sql, { from, record, actor }: StatusByHand): Promise<boolean> {
  const { game_uuid: uuid, game_id: gameId, status } = record;
  return inTransaction(sql, async (tx) => {
    // Locked before it is compared: a projector may be about to move it.
    const { rows } = await tx.query('select status from games where id = $1 for update', [uuid]);
    if (rows[0]?.status !== from) return false;
    await tx.query('update games set status = $2 where id = $1', [uuid, status.status]);
    await tx.query('insert into outbox (topic, key, value) values ($1, $2, $3::jsonb)', [
      topics.quotes,
      uuid,
      jsonParameter(record),
    ]);
    await tx.query(`insert into audit (actor, action, subject, detail) values ($1, 'games status', $2, $3::jsonb)`, [
      textParameter(actor),
      gameId,
      jsonParameter({ from, to: status.status }),
    ]);
    return true;
  });
}
