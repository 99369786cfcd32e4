// The use of objects in PostgreSQL. What is begun and released is part of the commits; here is what the collector asks.
import type { ObjectsCatalog } from '../../core/ports/catalog/objects.ts';
import type { Micros } from '../../core/units.ts';
import type { Sql } from './sql.ts';
import { timestampText } from './values.ts';

export function openObjectsCatalog(sql: Sql): ObjectsCatalog {
  return {
    collectable: (before, limit) => collectableObjects(sql, before, limit),
    forgetObjects: (keys) => forgetObjects(sql, keys),
    knownObjects: (keys) => knownObjects(sql, keys),
  };
}

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

async function forgetObjects(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql.query('delete from objects where key = any ($1::text[]) and files <= 0', [keys]);
}

async function knownObjects(sql: Sql, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql.query('select key from objects where key = any ($1::text[])', [keys]);
  return new Set(rows.map((row) => row.key as string));
}
