// What the operators of the service ask the catalog: dead letters, how far the streams are, counts, the audit trail.
import type { ListedDeadLetter, OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { Micros } from '../../core/units.ts';
import type { Row, Sql } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

export function openOperationsCatalog(sql: Sql): OperationsCatalog {
  return {
    deadLetters: (query) => deadLetters(sql, query),
    deadLetter: (id) => deadLetter(sql, id),
    countDeadLetters: () => countDeadLetters(sql),
    streams: () => streams(sql),
    gameCounts: () => gameCounts(sql),
    audit: (actor, action, subject, detail) => audit(sql, actor, action, subject, detail),
  };
}

const letterColumns = 'id, topic, partition, "offset", code, detail, pointer, source, game_id, at, state';

async function deadLetters(
  sql: Sql,
  query: { after: number | null; limit: number; code: string | null; source: string | null },
): Promise<ListedDeadLetter[]> {
  const { rows } = await sql.query(
    `select ${letterColumns} from dead_letters
     where id > $1 and ($3::text is null or code = $3) and ($4::text is null or source = $4)
     order by id limit $2`,
    [query.after ?? 0, query.limit, query.code, textParameter(query.source)],
  );
  return rows.map(toListed);
}

async function deadLetter(sql: Sql, id: number) {
  const { rows } = await sql.query(`select ${letterColumns}, receipt, payload from dead_letters where id = $1`, [id]);
  const row = rows[0];
  if (row === undefined) return null;
  return { ...toListed(row), receipt: row.receipt as string | null, payload: row.payload as Uint8Array };
}

async function countDeadLetters(sql: Sql): Promise<number> {
  const { rows } = await sql.query(`select count(*) as letters from dead_letters where state = 'open'`);
  return rows[0]?.letters as number;
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

async function gameCounts(sql: Sql): Promise<{ games: number; minted: number; live: number }> {
  const { rows } = await sql.query(
    `select count(*) as games, count(g.public_id) as minted,
       (select count(distinct game_uuid) from live_logs where open_offer) as live
     from games g`,
  );
  return rows[0] as { games: number; minted: number; live: number };
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

function toListed(row: Row): ListedDeadLetter {
  return {
    id: row.id as number,
    topic: row.topic as string,
    partition: row.partition as number | null,
    offset: row.offset as number | null,
    code: row.code as string,
    detail: row.detail as string,
    pointer: row.pointer as string,
    source: row.source as string | null,
    game_id: row.game_id as string | null,
    at: row.at as Micros,
    state: row.state as string,
  };
}
