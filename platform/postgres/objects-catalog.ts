// Reference counts of stored objects. Commits add and release references; the garbage collector finds and deletes unreferenced objects here.
import type { ObjectsCatalog } from '../../core/ports/catalog/objects.ts';
import type { Micros } from '../../core/units.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { Sql } from './sql.ts';
import { timestampText } from './values.ts';

export function openObjectsCatalog(sql: Sql): ObjectsCatalog {
  return {
    collectable: (before, limit) => collectableObjects(sql, before, limit),
    releaseSettledBoards: () => releaseSettledBoards(sql),
    forgetObjects: (keys) => forgetObjects(sql, keys),
    knownObjects: (keys) => knownObjects(sql, keys),
  };
}

/** Also deletes the tail versions superseded before `before`: their objects can be collected from a later call on. */
async function collectableObjects(sql: Sql, before: Micros, limit: number): Promise<string[]> {
  const { rows } = await sql.query(
    `with forgotten as (
       delete from live_tail_versions where superseded_at < $1
     )
     select key from objects where files = 0 and released_at < $1 order by released_at limit $2`,
    [timestampText(before), limit],
  );
  return rows.map((row) => row.key as string);
}

/** Games per statement, so that each statement is bounded. */
const gamesAtOnce = 50;

/**
 * Deletes the live boards of settled games and releases their objects. Keeps the segments: a later settlement needs them. Locks the objects
 * in the order of their keys as bytes, like commits (commit-parts.ts), so that no two wait for each other.
 */
async function releaseSettledBoards(sql: Sql): Promise<number> {
  let games = 0;
  for (;;) {
    const { rows } = await sql.query(
      `with due as (
         select l.game_uuid, l.generation from live_logs l
         where exists (select from live_boards b where b.game_uuid = l.game_uuid and b.generation = l.generation) and exists (
           select from artifacts a where a.game_uuid = l.game_uuid and a.dataset = '${sportsbookLines.name}')
         order by l.game_uuid limit ${gamesAtOnce} for update of l skip locked
       ), gone as (
         delete from live_boards b using due where b.game_uuid = due.game_uuid and b.generation = due.generation returning b.key
       ), uses as (
         select key, count(*)::integer as files from gone group by key
       ), locked as (
         select o.key from objects o join uses using (key) order by o.key collate "C" for update of o
       ), released as (
         update objects set files = objects.files - uses.files, released_at = case when objects.files <= uses.files then now() end
         from uses join locked using (key) where objects.key = uses.key
       )
       select count(*)::integer as games from due`,
      [],
      'release_settled_boards',
    );
    const released = rows[0]?.games as number;
    games += released;
    if (released < gamesAtOnce) return games;
  }
}

async function forgetObjects(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql.query('delete from objects where key = any ($1::text[]) and files = 0', [keys]);
}

async function knownObjects(sql: Sql, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql.query(
    `select key from objects where key = any ($1::text[])
     union all select key from letter_payloads where key = any ($1::text[])`,
    [keys],
  );
  return new Set(rows.map((row) => row.key as string));
}

/** The objects that the catalog names, a batch at a time. `size`: null where the catalog does not know it. Needs a transaction. */
export async function* namedObjects(tx: Sql): AsyncGenerator<readonly { key: string; size: number | null }[]> {
  await tx.query(
    `declare named no scroll cursor for
     select key, size from objects where files > 0
     union all select key, null from letter_payloads where key is not null`,
  );
  for (;;) {
    const { rows } = await tx.query('fetch 1000 from named');
    if (rows.length === 0) break;
    yield rows.map(({ key, size }) => ({ key: String(key), size: size === null ? null : Number(size) }));
  }
  await tx.query('close named');
}
