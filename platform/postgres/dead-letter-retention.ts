// Removes and counts dead letters that are too old, and the oldest ones beyond a number of bytes, with the payloads that no letter refers
// to any more. Works in short steps; after a kill between two of them, the next round continues.
import type { DeadLettersKept } from '../../core/ports/catalog/dead-letters.ts';
import type { Sql } from './sql.ts';
import { timestampText } from './values.ts';

/** Letters weighed or deleted by one statement. */
const weighedAtOnce = 20_000;
const removedAtOnce = 5_000;

/** Deletes the letters outside `kept`. Returns how many. */
export async function forgetDeadLetters(sql: Sql, kept: DeadLettersKept): Promise<number> {
  const cut = await newestToRemove(sql, kept);
  if (cut === null) return 0;
  let removed = 0;
  for (;;) {
    const letters = await removeUpTo(sql, cut);
    removed += letters;
    if (letters < removedAtOnce) return removed;
  }
}

/** The newest letter that is too old, or at which the sum of bytes from the newest on exceeds the limit. A payload counts once per page. */
async function newestToRemove(sql: Sql, { before, bytes: most }: DeadLettersKept): Promise<number | null> {
  let [weight, below] = [0, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const { rows } = await sql.query(
      `with page as (
         select d.id, d.at, length(d.detail) + length(d.pointer) + 400 + coalesce(octet_length(d.payload), 0)
           + coalesce(pg_column_size(d.sent), 0)
           + case when row_number() over (partition by d.payload_id order by d.id desc) = 1
               then coalesce(p.size, octet_length(p.payload), 0) else 0 end as bytes
         from (select * from dead_letters where id < $1 order by id desc limit ${weighedAtOnce}) as d
           left join letter_payloads as p on p.id = d.payload_id
       ), weighed as (
         select id, at, sum(bytes) over (order by id desc) as bytes from page
       )
       select count(*) as letters, min(id) as lowest, max(bytes)::bigint as bytes,
         max(id) filter (where at < $2 or bytes + $3 > $4) as cut
       from weighed`,
      [below, timestampText(before), weight, most],
      'weigh_letters',
    );
    const page = rows[0] as { letters: number; lowest: number | null; bytes: number | null; cut: number | null };
    if (page.cut !== null || page.letters < weighedAtOnce) return page.cut;
    weight += page.bytes ?? 0;
    below = page.lowest ?? 0;
  }
}

/** Letters that are not yet in the dead-letters topic stay until they are. */
function removeUpTo(sql: Sql, cut: number): Promise<number> {
  return sql.transaction(async (transaction) => {
    const { rows } = await transaction.query(
      `with gone as (
         delete from dead_letters where id in (
           select id from dead_letters where id <= $1 and told order by id limit ${removedAtOnce})
         returning source, code, payload_id
       ), counted as (
         insert into dropped_letters as held (source, code, letters)
         select case when source ~ '^[a-z0-9][a-z0-9_-]{0,63}$' then source else '' end as name, code, count(*) from gone
         group by name, code order by name, code
         on conflict (source, code) do update set letters = held.letters + excluded.letters, newest = now()
       )
       select count(*) as letters, array_agg(distinct payload_id) filter (where payload_id is not null) as payloads from gone`,
      [cut],
      'drop_letters',
    );
    await removePayloads(transaction, (rows[0]?.payloads ?? []) as readonly number[]);
    return rows[0]?.letters as number;
  });
}

/** Deletes those of the payloads that no letter refers to. */
export async function removePayloads(sql: Pick<Sql, 'query'>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.query(
    `delete from letter_payloads as p where p.id = any ($1::bigint[])
       and not exists (select from dead_letters as d where d.payload_id = p.id)`,
    [ids],
    'drop_payloads',
  );
}
