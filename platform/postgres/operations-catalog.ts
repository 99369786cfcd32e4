// The administrator's queries: the progress of streams, counts, the audit trail.
import type { AuditQuery, AuditRow, GameCounts, OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { Micros } from '../../core/units.ts';
import type { Sql } from './sql.ts';
import { jsonParameter, textParameter, timestampOrNull } from './values.ts';

export function openOperationsCatalog(sql: Sql): OperationsCatalog {
  return {
    streams: () => streams(sql),
    newestTick: () => newestTick(sql),
    outbox: () => outbox(sql),
    gameCounts: () => gameCounts(sql),
    overdue: (limit) => overdue(sql, limit),
    sportsbooks: () => sportsbooks(sql),
    assignedOwner: (gameId, operator) => assignedOwner(sql, gameId, operator),
    audit: (actor, action, subject, detail) => audit(sql, actor, action, subject, detail),
    audited: (query) => audited(sql, query),
  };
}

async function streams(sql: Sql) {
  const { rows } = await sql.query(
    `select projector, topic, partition, owner_epoch, owner_id, next_offset, updated_at, halted
     from stream_state order by projector, topic, partition`,
  );
  return rows.map((row) => ({
    projector: row.projector as string,
    topic: row.topic as string,
    partition: row.partition as number,
    ownerEpoch: row.owner_epoch as number,
    ownerId: row.owner_id as string,
    nextOffset: row.next_offset as number,
    updatedAt: row.updated_at as Micros,
    halted: row.halted as string | null,
  }));
}

async function newestTick(sql: Sql): Promise<{ at: Micros; age: Micros } | null> {
  const { rows } = await sql.query(
    `select worked_at as at, greatest(0, extract(epoch from clock_timestamp() - worked_at) * 1000000)::bigint as age
     from leases where name = 'ticker' and worked_at is not null`,
    [],
    'newest_tick',
  );
  return (rows[0] as { at: Micros; age: Micros } | undefined) ?? null;
}

async function outbox(sql: Sql): Promise<{ records: number; age: Micros }> {
  const { rows } = await sql.query(
    `select (select count(*) from (select from outbox order by id limit 100000) waiting)::integer as records,
       coalesce((select greatest(0, extract(epoch from clock_timestamp() - created_at) * 1000000)::bigint
         from outbox order by id limit 1), 0) as age`,
    [],
    'outbox_size',
  );
  return rows[0] as { records: number; age: Micros };
}

async function gameCounts(sql: Sql): Promise<GameCounts> {
  const { rows } = await sql.query(
    `select count(*) as games, count(g.public_id) as minted,
       (select count(distinct game_uuid) from live_logs where open_offer) as live,
       (select count(*) from settlements where closed is not null and built_orders is distinct from orders) as to_settle
     from games g`,
  );
  return rows[0] as GameCounts;
}

async function overdue(sql: Sql, limit: number): Promise<readonly string[]> {
  const { rows } = await sql.query(
    `select coalesce(g.public_id, g.id::text) as id from games g
     where g.scheduled_start < now() - interval '2 days'
       and exists (select from live_logs l where l.game_uuid = g.id)
       and not exists (select from settlements s where s.game_uuid = g.id and s.closed is not null)
     order by g.scheduled_start, g.id limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id as string);
}

async function sportsbooks(sql: Sql): Promise<readonly string[]> {
  const { rows } = await sql.query('select distinct operator from live_boards order by operator');
  return rows.map(({ operator }) => operator as string);
}

async function assignedOwner(sql: Sql, gameId: string, operator: string): Promise<string | null> {
  const { rows } = await sql.query(
    `select detail ->> 'source' as source from audit
     where action = 'sources assign' and subject = $1 and detail ->> 'operator' = $2 order by id desc limit 1`,
    [textParameter(gameId), operator],
  );
  return (rows[0]?.source as string | undefined) ?? null;
}

async function audit(
  sql: Sql,
  actor: string,
  action: string,
  subject: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql.query('insert into audit (actor, action, subject, detail) values ($1, $2, $3, $4)', [
    textParameter(actor),
    action,
    textParameter(subject),
    jsonParameter(detail),
  ]);
}

async function audited(sql: Sql, query: AuditQuery): Promise<readonly AuditRow[]> {
  const { before, limit, action, subject, actor, from, to } = query;
  const { rows } = await sql.query(
    `select id, at, actor, action, subject, detail from audit
     where ($1::bigint is null or id < $1) and ($3::text is null or action = $3 or starts_with(action, $3 || ' '))
       and ($4::text is null or subject = $4) and ($5::text is null or actor = $5)
       and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
     order by id desc limit $2`,
    [before, limit, ...[action, subject, actor].map(textParameter), ...[from, to].map(timestampOrNull)],
  );
  return rows as AuditRow[];
}
