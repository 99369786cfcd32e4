// Games on their way to their final files, in PostgreSQL. What a game was built from is compared with what stands now, so that there is no queue
// to lose or repeat: a game is due for as long as the two differ.
import type { LandedArtifact } from '../../core/ports/catalog/artifacts.ts';
import type {
  RowSpan,
  SettlementCatalog,
  SettlementInputs,
  SettlementState,
} from '../../core/ports/catalog/settlement.ts';
import type { ClosedGame } from '../../core/settlement/closed-game.ts';
import type { ReferencePlayer, Scores } from '../../core/settlement/evidence.ts';
import type { BuiltFrom } from '../../core/settlement/reasons.ts';
import type { Micros } from '../../core/units.ts';
import { landArtifacts } from './artifacts-catalog.ts';
import { gameIdOf } from './games-rows.ts';
import { inTransaction } from './retryable.ts';
import type { Row, Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

export function openSettlementCatalog(sql: Sql): SettlementCatalog {
  return {
    due: (after, limit) => dueGames(sql, after, limit),
    inputs: (gameUuid) => inputsOf(sql, gameUuid),
    land: (gameUuid, artifacts, builtFrom) => landSettlement(sql, gameUuid, artifacts, builtFrom),
    state: (gameUuid) => stateOf(sql, gameUuid),
    orderScore: (game, score, actor) => orderScore(sql, game, score, actor),
    orderAgain: (game, actor) => orderAgain(sql, game, actor),
    orderRemoval: (game, rows, reason, actor) => orderRemoval(sql, game, rows, reason, actor),
  };
}

const orders = 'settlement_orders(s)';
const evidence = 'settlement_evidence(s.game_uuid)';
const isBehind = `(s.built_orders is distinct from ${orders}
  or ((s.landed_at is null or s.landed_at > now() - interval '30 days') and s.built_evidence is distinct from ${evidence}))`;

async function dueGames(sql: Sql, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql.query(
    `select s.game_uuid from settlements s
     where s.closed is not null and ($1::uuid is null or s.game_uuid > $1) and ${isBehind} order by s.game_uuid limit $2`,
    [after, limit],
    'settlements_due',
  );
  return rows.map((row) => row.game_uuid as string);
}

async function inputsOf(sql: Sql, gameUuid: string): Promise<SettlementInputs | null> {
  const { rows } = await sql.query(
    `select s.closed, s.manual, s.removed, s.built_orders, s.built_evidence, ${orders} as orders, ${evidence} as evidence,
       ${gameIdOf} as game_id, g.home_team_id, g.away_team_id,
       coalesce(l.home, '{}') as home_lineup, coalesce(l.away, '{}') as away_lineup,
       (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'firstName', p.first_name, 'lastName', p.last_name,
          'currentTeamId', p.current_team_id) order by p.id), '[]')
        from players p where p.current_team_id in (g.home_team_id, g.away_team_id)) as players
     from settlements s join games g on g.id = s.game_uuid left join lineups l on l.game_uuid = s.game_uuid
     where s.game_uuid = $1 and s.closed is not null`,
    [gameUuid],
    'settlement_inputs',
  );
  const row = rows[0];
  return row === undefined ? null : toInputs(row);
}

type StoredScore = {
  audit_id: number;
  at: Micros;
  away: number;
  home: number;
  away_periods: number[];
  home_periods: number[];
};

function toInputs(row: Row): SettlementInputs {
  const score = row.manual as StoredScore | null;
  return {
    closed: row.closed as ClosedGame,
    gameId: row.game_id as string,
    homeTeamId: row.home_team_id as string | null,
    awayTeamId: row.away_team_id as string | null,
    manual:
      score === null
        ? null
        : {
            auditId: score.audit_id,
            at: score.at,
            away: score.away,
            home: score.home,
            awayPeriods: score.away_periods,
            homePeriods: score.home_periods,
          },
    removed: row.removed as RowSpan[],
    lineups: { home: row.home_lineup as string[], away: row.away_lineup as string[] },
    players: row.players as ReferencePlayer[],
    standing: { orders: row.orders as string, evidence: row.evidence as string },
    built:
      row.built_orders === null ? null : { orders: row.built_orders as string, evidence: row.built_evidence as string },
  };
}

class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

async function landSettlement(
  sql: Sql,
  gameUuid: string,
  artifacts: readonly LandedArtifact[],
  builtFrom: BuiltFrom,
): Promise<'landed' | 'overtaken'> {
  try {
    await inTransaction(sql, async (tx) => {
      // Landings of one game come one after the other.
      await tx.query('select from settlements where game_uuid = $1 for update', [gameUuid]);
      const { left } = await landArtifacts(tx, gameUuid, artifacts);
      if (left.length > 0) throw new Overtaken(`${left.join(', ')} of ${gameUuid} landed before`);
      await noteLanding(tx, gameUuid, artifacts, builtFrom);
    });
    return 'landed';
  } catch (error) {
    if (error instanceof Overtaken) return 'overtaken';
    throw error;
  }
}

async function noteLanding(
  tx: Sql,
  gameUuid: string,
  artifacts: readonly LandedArtifact[],
  builtFrom: BuiltFrom,
): Promise<void> {
  await tx.query(
    `with noted as (
       update settlements set built_orders = $2, built_evidence = $3,
         landed_at = coalesce(landed_at, case when $4::jsonb <> '[]' then now() end)
       where game_uuid = $1
     )
     insert into audit (actor, action, subject, detail)
     select 'settlement', 'artifact landed', ${gameIdOf}, jsonb_build_object('dataset', a.dataset, 'version', a.version, 'reason', a.reason)
     from jsonb_to_recordset($4::jsonb) as a (dataset text, version integer, reason text), games g
     where g.id = $1 order by a.dataset`,
    [
      gameUuid,
      builtFrom.orders,
      builtFrom.evidence,
      jsonParameter(artifacts.map(({ dataset, version, reason }) => ({ dataset, version, reason }))),
    ],
  );
}

async function stateOf(sql: Sql, gameUuid: string): Promise<SettlementState | null> {
  const { rows } = await sql.query(
    `select s.closed_at, s.landed_at, s.closed is not null and not ${isBehind} as built from settlements s where s.game_uuid = $1`,
    [gameUuid],
    'settlement_state',
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    closedAt: row.closed_at as Micros | null,
    landedAt: row.landed_at as Micros | null,
    built: row.built as boolean,
  };
}

const auditRow = `insert into audit (actor, action, subject, detail) values ($1, $2, $3, $4) returning id, at`;

async function orderScore(
  sql: Sql,
  game: { uuid: string; gameId: string; partition: number },
  score: Scores | null,
  actor: string,
): Promise<void> {
  const said = score === null ? null : storedScore(score);
  await inTransaction(sql, (tx) =>
    tx.query(
      `with ordered as (${auditRow})
       insert into settlements as s (game_uuid, partition, ticked, manual)
       select $5, $6, false, case when $7 then null else $4::jsonb || jsonb_build_object('audit_id', ordered.id,
         'at', (extract(epoch from ordered.at) * 1000000)::bigint) end from ordered
       on conflict (game_uuid) do update set manual = excluded.manual`,
      [
        textParameter(actor),
        said === null ? 'score taken back' : 'score',
        game.gameId,
        jsonParameter(said ?? {}),
        game.uuid,
        game.partition,
        said === null,
      ],
    ),
  );
}

function storedScore({ away, home, awayPeriods, homePeriods }: Scores): Omit<StoredScore, 'audit_id' | 'at'> {
  return { away, home, away_periods: [...awayPeriods], home_periods: [...homePeriods] };
}

async function orderAgain(sql: Sql, game: { uuid: string; gameId: string }, actor: string): Promise<void> {
  await inTransaction(sql, (tx) =>
    tx.query(
      `with ordered as (${auditRow}) update settlements set again = again + 1 from ordered where game_uuid = $5`,
      [textParameter(actor), 'settle again', game.gameId, '{}', game.uuid],
    ),
  );
}

async function orderRemoval(
  sql: Sql,
  game: { uuid: string; gameId: string },
  rows: readonly RowSpan[],
  reason: string,
  actor: string,
): Promise<void> {
  await inTransaction(sql, (tx) =>
    tx.query(
      `with ordered as (${auditRow}) update settlements set removed = removed || $6::jsonb from ordered where game_uuid = $5`,
      [
        textParameter(actor),
        'remove rows',
        game.gameId,
        jsonParameter({ rows, reason }),
        game.uuid,
        jsonParameter(rows),
      ],
    ),
  );
}
