// Applies a game status set by the administrator. One transaction stores the status, the records for the folds of the game's quotes and MSF
// observations, and the audit row. The forwarder writes the records to the log.
import { blankObservations } from '../../core/msf/streams/blank-record.ts';
import type { StatusByHand } from '../../core/ports/catalog/games.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { Micros } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

/** Does nothing and returns false if the game's status is no longer `from`. */
export async function moveByHand(sql: Sql, { game, from, to, actor }: StatusByHand): Promise<boolean> {
  const { uuid, gameId, league } = game;
  return inTransaction(sql, async (tx) => {
    // Lock before comparing: a projector may be about to change it.
    const { rows } = await tx.query('select status from games where id = $1 for update', [uuid]);
    if (rows[0]?.status !== from) return false;
    // The time identifies this move: the fold of MSF's observations recognises by it a record that the forwarder repeats.
    const moved = await tx.query('update games set status = $2 where id = $1 returning clock_timestamp() as at', [
      uuid,
      to,
    ]);
    const at = moved.rows[0]?.at as Micros;
    const toQuotes = { ...blankRecord(game, 'service', at), status: { status: to, at } };
    const toObservations = {
      ...blankObservations({ uuid, id: gameId, league }, 'service', at),
      status: { from, to, at },
    };
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
