// The queries of the administrator's console. Each reads a bounded number of rows, by an index where the table grows.
import type { FeedQuotas } from '../../core/limits/feed-quotas.ts';
import type {
  AccountNearQuota,
  FeedKeyNearQuota,
  OpenDeadLetters,
  OpenLog,
  OverviewCatalog,
  ReplacedEpoch,
} from '../../core/ports/catalog/overview.ts';
import type { Micros } from '../../core/units.ts';
import { gameIdOf } from './games-rows.ts';
import { factsOfEach, type SharedFacts } from './operator-facts.ts';
import type { Sql } from './sql.ts';
import { timestampText } from './values.ts';

export function openOverviewCatalog(sql: Sql): OverviewCatalog {
  return {
    openLogs: (limit) => openLogs(sql, limit),
    openDeadLetters: (among, since, limit) => openDeadLetters(sql, among, since, limit),
    replacedEpochs: (since, limit) => replacedEpochs(sql, since, limit),
    feedKeysNear: (quotas, share, limit) => feedKeysNear(sql, quotas, share, limit),
    accountsNear: (share, limit) => accountsNear(sql, share, limit),
    unsettled: () => unsettled(sql),
  };
}

async function openLogs(sql: Sql, limit: number): Promise<readonly OpenLog[]> {
  const { rows } = await sql.query(
    `select ${gameIdOf} as game_id, g.scheduled_start, l.operators
     from live_logs l join games g on g.id = l.game_uuid where l.open_offer
     order by g.status = 'STARTED' desc, abs(extract(epoch from g.scheduled_start - now())), g.id limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    gameId: row.game_id as string,
    start: row.scheduled_start as Micros,
    operators: factsOfEach(row.operators as SharedFacts[]),
  }));
}

async function openDeadLetters(
  sql: Sql,
  among: number,
  since: Micros,
  limit: number,
): Promise<readonly OpenDeadLetters[]> {
  const { rows } = await sql.query(
    `select source, code, count(*) as letters, count(*) filter (where at >= $2) as lately, max(at) as newest
     from (select source, code, at, state from dead_letters order by id desc limit $1) newest
     where state = 'open' group by source, code order by max(at) desc, source, code limit $3`,
    [among, timestampText(since), limit],
  );
  return rows as OpenDeadLetters[];
}

async function replacedEpochs(sql: Sql, since: Micros, limit: number): Promise<readonly ReplacedEpoch[]> {
  const { rows } = await sql.query(
    `select s.scope_id as scope, s.dataset, max(e.replaced_at) as "replacedAt", s.epoch
     from msf_epochs e join msf_streams s on s.scope_uuid = e.scope_uuid and s.dataset = e.dataset
     where e.replaced_at >= $1 group by s.scope_uuid, s.dataset
     order by max(e.replaced_at) desc, s.scope_id, s.dataset limit $2`,
    [timestampText(since), limit],
  );
  return rows as ReplacedEpoch[];
}

async function feedKeysNear(
  sql: Sql,
  { bytes, letters, games }: FeedQuotas,
  share: number,
  limit: number,
): Promise<readonly FeedKeyNearQuota[]> {
  const { rows } = await sql.query(
    `select k.id, k.sources, d.name as quota, d.amount as used
     from feed_keys k join feed_key_days d on d.feed_key_id = k.id
       join (values ('bytes', $1::float8), ('letters', $2::float8), ('games', $3::float8)) q (name, most) on q.name = d.name
     where k.state = 'active' and d.day = (now() at time zone 'utc')::date and d.kind = 'used' and d.amount >= $4 * q.most
     order by d.amount / q.most desc, k.id, d.name limit $5`,
    [bytes, letters, games, share, limit],
  );
  return rows as FeedKeyNearQuota[];
}

async function accountsNear(sql: Sql, share: number, limit: number): Promise<readonly AccountNearQuota[]> {
  const { rows } = await sql.query(
    `select a.id, a.name, m.used_rows as used, a.monthly_rows as most
     from usage_months m join accounts a on a.id = m.account_id
     where m.month = date_trunc('month', usage_now() at time zone 'utc')::date and m.used_rows >= $1::float8 * a.monthly_rows
     order by m.used_rows::float8 / greatest(a.monthly_rows, 1) desc, a.id limit $2`,
    [share, limit],
  );
  return rows as AccountNearQuota[];
}

async function unsettled(sql: Sql): ReturnType<OverviewCatalog['unsettled']> {
  const { rows } = await sql.query(
    `select count(*) filter (where built_orders is null) as games, min(closed_at) filter (where built_orders is null) as since,
       count(built_orders) as again
     from settlements where closed is not null and built_orders is distinct from orders`,
  );
  return rows[0] as Awaited<ReturnType<OverviewCatalog['unsettled']>>;
}
