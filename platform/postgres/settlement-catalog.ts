// Games to be settled, in PostgreSQL. A game is due while the inputs of its last build differ from the current ones, so there is no queue
// that could lose or repeat work.

import { msfSource } from '../../core/msf/ids.ts';
import type { LandedArtifact } from '../../core/ports/catalog/artifacts.ts';
import type {
  EvidenceSpan,
  RowSpan,
  SettlementCatalog,
  SettlementInputs,
  SettlementState,
} from '../../core/ports/catalog/settlement.ts';
import type { ClosedGame } from '../../core/settlement/closed-game.ts';
import type { ReferencePlayer } from '../../core/settlement/evidence.ts';
import type { BuiltFrom } from '../../core/settlement/version-reasons.ts';
import type { Micros } from '../../core/units.ts';
import { landArtifacts } from './artifacts-catalog.ts';
import { gameIdOf } from './games-rows.ts';
import { inTransaction } from './retryable.ts';
import { orderAgain, orderRemoval, orderScore, type StoredScore } from './settlement-orders.ts';
import type { Sql, SqlRow } from './sql.ts';
import { jsonParameter } from './values.ts';

export function openSettlementCatalog(sql: Sql): SettlementCatalog {
  return {
    due: (after, limit, span) => dueGames(sql, after, limit, span),
    inputs: (gameUuid) => inputsOf(sql, gameUuid),
    players: (teamIds, playerIds) => playersOf(sql, teamIds, playerIds),
    land: (gameUuid, artifacts, inputs) => landSettlement(sql, gameUuid, artifacts, inputs),
    state: (gameUuid) => stateOf(sql, gameUuid),
    orderScore: (game, score, actor) => orderScore(sql, game, score, actor),
    orderAgain: (game, actor) => orderAgain(sql, game, actor),
    orderRemoval: (game, rows, reason, actor, before) => orderRemoval(sql, game, rows, reason, actor, before),
  };
}

const evidence = 'settlement_evidence(s.game_uuid)';
const hasNewOrders = 's.closed is not null and s.built_orders is distinct from s.orders';

/** Whether the evidence of a closed game has changed, for games that landed within `span` or have not landed. */
const hasNewEvidence = (span: string) =>
  `s.closed is not null and (s.landed_at is null or s.landed_at > now() - interval '${span}') and s.built_evidence is distinct from ${evidence}`;

const followed = '30 days';
/** Few games landed this recently. */
const recently = '10 minutes';

const dueOf = (span: string) => `
  select due.game_uuid from (
    select s.closed_at, s.game_uuid from settlements s where ${hasNewOrders}
    union
    select s.closed_at, s.game_uuid from settlements s where ${hasNewEvidence(span)}
  ) due where $1::uuid is null
    or (due.closed_at, due.game_uuid) > (select s.closed_at, s.game_uuid from settlements s where s.game_uuid = $1)
  order by due.closed_at, due.game_uuid limit $2`;

async function dueGames(sql: Sql, after: string | null, limit: number, span: EvidenceSpan): Promise<string[]> {
  const { rows } =
    span === 'all'
      ? await sql.query(dueOf(followed), [after, limit], 'settlements_due')
      : await sql.query(dueOf(recently), [after, limit], 'settlements_due_recently');
  return rows.map((row) => row.game_uuid as string);
}

async function inputsOf(sql: Sql, gameUuid: string): Promise<SettlementInputs | null> {
  const { rows } = await sql.query(
    `select s.closed, s.manual, s.removed, s.built_orders, s.built_evidence, s.orders, ${evidence} as evidence,
       ${gameIdOf} as game_id, g.league, g.home_team_id, g.away_team_id,
       coalesce(l.home, '{}') as home_lineup, coalesce(l.away, '{}') as away_lineup
     from settlements s join games g on g.id = s.game_uuid left join lineups l on l.game_uuid = s.game_uuid
     where s.game_uuid = $1 and s.closed is not null`,
    [gameUuid],
    'settlement_inputs',
  );
  const row = rows[0];
  return row === undefined ? null : toInputs(row);
}

function toInputs(row: SqlRow): SettlementInputs {
  const score = row.manual as StoredScore | null;
  return {
    closed: row.closed as ClosedGame,
    gameId: row.game_id as string,
    league: row.league as string,
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
    standing: { orders: row.orders as string, evidence: row.evidence as string },
    built:
      row.built_orders === null ? null : { orders: row.built_orders as string, evidence: row.built_evidence as string },
  };
}

const isOfMsf = `exists (select from source_ids i where i.kind = 'player' and i.source = '${msfSource}' and i.id = p.id)`;

async function playersOf(
  sql: Sql,
  teamIds: readonly string[],
  playerIds: readonly string[],
): Promise<ReferencePlayer[]> {
  const { rows } = await sql.query(
    `select p.id, p.first_name, p.last_name, p.current_team_id from players p
     where (p.current_team_id = any ($1::uuid[]) and ${isOfMsf}) or p.id = any ($2::uuid[]) order by p.id`,
    [teamIds, playerIds],
    'settlement_players',
  );
  return rows.map((row) => ({
    id: row.id as string,
    firstName: row.first_name as string,
    lastName: row.last_name as string,
    currentTeamId: row.current_team_id as string | null,
  }));
}

class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

async function landSettlement(
  sql: Sql,
  gameUuid: string,
  artifacts: readonly LandedArtifact[],
  { built, standing }: Pick<SettlementInputs, 'built' | 'standing'>,
): Promise<'landed' | 'overtaken'> {
  try {
    await inTransaction(sql, async (tx) => {
      // Landings of one game are serialised, each based on the previous one.
      const { rows } = await tx.query(
        `select from settlements where game_uuid = $1 and built_orders is not distinct from $2 and built_evidence is not distinct from $3
         for update`,
        [gameUuid, built?.orders ?? null, built?.evidence ?? null],
      );
      if (rows.length === 0) throw new Overtaken(`${gameUuid} was built from other inputs meanwhile`);
      const { left } = await landArtifacts(tx, gameUuid, artifacts);
      if (left.length > 0) throw new Overtaken(`${left.join(', ')} of ${gameUuid} landed before`);
      await noteLanding(tx, gameUuid, artifacts, standing);
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
    `select s.closed_at, s.landed_at, s.closed is not null and not (${hasNewOrders}) and not (${hasNewEvidence(followed)}) as built from settlements s where s.game_uuid = $1`,
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
