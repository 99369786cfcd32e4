// Which part of the log the catalog still needs.
import type { RetentionCatalog } from '../../core/ports/catalog/retention.ts';
import type { Micros } from '../../core/units.ts';
import type { Sql } from './sql.ts';
import { timestampText } from './values.ts';

export function openRetentionCatalog(sql: Sql): RetentionCatalog {
  return {
    foldedFrom: (topic) => foldedFrom(sql, topic),
    oldestGame: (startingFrom, from) => oldestGame(sql, startingFrom, from),
  };
}

async function foldedFrom(sql: Sql, topic: string): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql.query(
    `select partition, min(coalesce((older_snapshots -> -1 ->> 'offset')::bigint, 0)) as folded_from
     from stream_state where topic = $1 group by partition`,
    [topic],
  );
  return new Map(rows.map((row) => [Number(row.partition), Number(row.folded_from)]));
}

async function oldestGame(sql: Sql, startingFrom: Micros, from: Micros): Promise<Micros | null> {
  const { rows } = await sql.query(
    'select min(created_at) as oldest from games where scheduled_start >= $1 and created_at >= $2',
    [timestampText(startingFrom), timestampText(from)],
  );
  return (rows[0]?.oldest ?? null) as Micros | null;
}
