// What feed keys use, as sums per UTC day. Several gateways update the same rows, so all lock them in the same order and cannot deadlock.
import type { FeedUseCatalog, UseCount } from '../../core/ports/catalog/feed-use.ts';
import type { Sql, SqlRow } from './sql.ts';

const daysKept = 35;

export function openFeedUseCatalog(sql: Sql): FeedUseCatalog {
  return {
    add: (counts) => add(sql, counts),
    today: () => today(sql),
    async expire() {
      for (const table of ['feed_key_days', 'fold_letter_days'])
        await sql.query(`delete from ${table} where day < (now() at time zone 'utc')::date - ${daysKept}`);
    },
  };
}

async function add(sql: Sql, counts: readonly UseCount[]): Promise<UseCount[]> {
  const { rows } = await sql.query(
    `insert into feed_key_days (feed_key_id, day, kind, name, amount)
     select * from unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::bigint[]) as u (feed_key_id, day, kind, name, amount)
     order by feed_key_id, day, kind, name
     on conflict (feed_key_id, day, kind, name) do update set amount = feed_key_days.amount + excluded.amount
     returning feed_key_id, day, kind, name, amount`,
    [
      counts.map(({ keyId }) => keyId),
      counts.map(({ day }) => day),
      counts.map(({ kind }) => kind),
      counts.map(({ name }) => name),
      counts.map(({ amount }) => amount),
    ],
    'add_feed_use',
  );
  return rows.map(toCount);
}

async function today(sql: Sql): Promise<UseCount[]> {
  const { rows } = await sql.query(
    `select feed_key_id, day, kind, name, amount from feed_key_days where day = (now() at time zone 'utc')::date
     order by feed_key_id collate "C", kind collate "C", name collate "C"`,
  );
  return rows.map(toCount);
}

function toCount(row: SqlRow): UseCount {
  return {
    keyId: row.feed_key_id as string,
    day: row.day as string,
    kind: row.kind as UseCount['kind'],
    name: row.name as string,
    amount: row.amount as number,
  };
}
