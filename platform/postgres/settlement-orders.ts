// The administrator's orders for a game's settlement, each with its audit row, whose action is the command: a manual score, a rebuild of
// files, removed rows. A settlement worker finds them by comparing the game's last build with the current inputs.
import type { RowSpan } from '../../core/ports/catalog/settlement.ts';
import type { Scores } from '../../core/settlement/evidence.ts';
import type { Micros } from '../../core/units.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

/** A manual score as stored. */
export type StoredScore = {
  audit_id: number;
  at: Micros;
  away: number;
  home: number;
  away_periods: number[];
  home_periods: number[];
};

const auditRow = `insert into audit (actor, action, subject, detail) values ($1, $2, $3, $4) returning id, at`;

export async function orderScore(
  sql: Sql,
  game: { uuid: string; gameId: string; partition: number },
  score: Scores | null,
  actor: string,
): Promise<void> {
  const stored = score === null ? null : storedScore(score);
  await inTransaction(sql, (tx) =>
    tx.query(
      `with ordered as (${auditRow})
       insert into settlements as s (game_uuid, partition, ticked, manual)
       select $5, $6, false, case when $7 then null else $4::jsonb || jsonb_build_object('audit_id', ordered.id,
         'at', (extract(epoch from ordered.at) * 1000000)::bigint) end from ordered
       on conflict (game_uuid) do update set manual = excluded.manual`,
      [
        textParameter(actor),
        'games settle',
        game.gameId,
        jsonParameter(stored ?? { no_score: true }),
        game.uuid,
        game.partition,
        stored === null,
      ],
    ),
  );
}

function storedScore({ away, home, awayPeriods, homePeriods }: Scores): Omit<StoredScore, 'audit_id' | 'at'> {
  return { away, home, away_periods: [...awayPeriods], home_periods: [...homePeriods] };
}

export async function orderAgain(sql: Sql, game: { uuid: string; gameId: string }, actor: string): Promise<void> {
  await inTransaction(sql, (tx) =>
    tx.query(
      `with ordered as (${auditRow}) update settlements set again = again + 1 from ordered where game_uuid = $5`,
      [textParameter(actor), 'games settle', game.gameId, jsonParameter({ again: true }), game.uuid],
    ),
  );
}

export async function orderRemoval(
  sql: Sql,
  game: { uuid: string; gameId: string },
  rows: readonly RowSpan[],
  reason: string,
  actor: string,
  removedBefore: readonly RowSpan[],
): Promise<'ordered' | 'overtaken'> {
  return await inTransaction(sql, async (tx) => {
    const found = await tx.query(
      'select removed = $2::jsonb as is_same from settlements where game_uuid = $1 for update',
      [game.uuid, jsonParameter(removedBefore)],
    );
    if (found.rows[0]?.is_same !== true) return 'overtaken';
    await tx.query(
      `with ordered as (${auditRow}) update settlements set removed = removed || $6::jsonb from ordered where game_uuid = $5`,
      [
        textParameter(actor),
        'games remove-rows',
        game.gameId,
        jsonParameter({ rows, reason }),
        game.uuid,
        jsonParameter(rows),
      ],
    );
    return 'ordered';
  });
}
