// Dead letters as the gateway stores them and the administrator reads them. Those of a projector are part of its commit.
import { mostDeadLettersOfFold } from '../../core/limits/feed-quotas.ts';
import type {
  DeadLetter,
  DeadLetterCount,
  DeadLetterSelection,
  DeadLettersCatalog,
  DeadLettersQuery,
  DeadLetterToReplay,
  HeldPayload,
  ListedDeadLetter,
} from '../../core/ports/catalog/dead-letters.ts';
import type { Micros } from '../../core/units.ts';
import { forgetDeadLetters } from './dead-letter-retention.ts';
import { deadLettersParameter, insertDeadLetters } from './dead-letters.ts';
import type { Sql, SqlRow } from './sql.ts';
import { jsonParameter, textParameter } from './values.ts';

export function openDeadLettersCatalog(sql: Sql): DeadLettersCatalog {
  return {
    store: (letters) => store(sql, letters),
    list: (query) => listDeadLetters(sql, query),
    one: (id) => oneDeadLetter(sql, id),
    ofFoldToday: () => ofFoldToday(sql),
    count: (of) => countOpen(sql, of),
    summary: () => summary(sql),
    discard: (of, limit) => discard(sql, of, limit),
    newest: () => newest(sql),
    openOf: (of, ids, limit) => openOf(sql, of, ids, limit),
    firstOfRecord: (letter) => firstOfRecord(sql, letter),
    markReplayed: (ids) => markReplayed(sql, ids),
    markReplayedInPart: (id, game, parts) => markReplayedInPart(sql, id, game, parts),
    forget: (kept) => forgetDeadLetters(sql, kept),
    dropped: () => dropped(sql),
  };
}

async function store(sql: Sql, letters: readonly DeadLetter[]): Promise<void> {
  await sql.query(insertDeadLetters('$1'), [deadLettersParameter(letters)], 'store_dead_letters');
}

const deadLetterColumns = 'id, topic, partition, "offset", code, detail, pointer, source, game_id, at, state';

async function listDeadLetters(sql: Sql, query: DeadLettersQuery): Promise<ListedDeadLetter[]> {
  const { rows } = await sql.query(
    `select ${deadLetterColumns} from dead_letters
     where ($1::bigint is null or id < $1) and ($3::text is null or code = $3) and ($4::text is null or source = $4)
     order by id desc limit $2`,
    [query.before, query.limit, query.code, textParameter(query.source)],
  );
  return rows.map(toListed);
}

async function oneDeadLetter(sql: Sql, id: number) {
  const { rows } = await sql.query(
    `select ${deadLetterColumns}, receipt, payload_sha256, coalesce(payload, shared.bytes) as payload, shared.key, shared.size
     from dead_letters left join lateral (
       select p.payload as bytes, p.key, p.size from letter_payloads as p where p.id = dead_letters.payload_id
     ) as shared on true
     where id = $1`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { key, size, payload_sha256: sha256 } = row;
  const held = key === null ? null : ({ key, size, sha256 } as HeldPayload);
  const payload = (row.payload ?? new Uint8Array()) as Uint8Array;
  return { ...toListed(row), receipt: row.receipt as string | null, payload, held };
}

async function ofFoldToday(sql: Sql) {
  const { rows } = await sql.query(
    `select source, letters from fold_letter_days where day = (now() at time zone 'utc')::date order by source collate "C"`,
  );
  return rows.map((row) => {
    const letters = row.letters as number;
    return { source: row.source as string, letters, kept: Math.min(letters, mostDeadLettersOfFold) };
  });
}

async function dropped(sql: Sql) {
  const { rows } = await sql.query(
    'select source, code, letters, newest from dropped_letters order by source collate "C", code collate "C"',
  );
  return rows as { source: string; code: string; letters: number; newest: Micros }[];
}

const isSelected = `state = 'open' and ($1::bigint[] is null or id = any ($1)) and ($2::text is null or code = $2)
  and ($3::text is null or source = $3)`;

function selected({ ids, code, source }: DeadLetterSelection) {
  return [ids, textParameter(code), textParameter(source)];
}

async function countOpen(sql: Sql, of: DeadLetterSelection = { ids: null, code: null, source: null }): Promise<number> {
  const { rows } = await sql.query(`select count(*) as letters from dead_letters where ${isSelected}`, selected(of));
  return rows[0]?.letters as number;
}

async function summary(sql: Sql): Promise<DeadLetterCount[]> {
  const { rows } = await sql.query(
    `select source, code, state, count(*) as letters, min(at) as oldest, max(at) as newest from dead_letters
     group by source, code, state order by source collate "C" nulls first, code collate "C", state`,
  );
  return rows as DeadLetterCount[];
}

async function discard(sql: Sql, of: DeadLetterSelection, limit: number): Promise<number> {
  const { rows } = await sql.query(
    `with gone as (
       update dead_letters set state = 'discarded'
       where id in (select id from dead_letters where ${isSelected} order by id limit $4) and state = 'open' returning 1
     )
     select count(*) as letters from gone`,
    [...selected(of), limit],
  );
  return rows[0]?.letters as number;
}

async function newest(sql: Sql): Promise<number> {
  const { rows } = await sql.query('select coalesce(max(id), 0) as newest from dead_letters');
  return rows[0]?.newest as number;
}

async function openOf(
  sql: Sql,
  of: DeadLetterSelection,
  { after, through }: { after: number; through: number },
  limit: number,
): Promise<DeadLetterToReplay[]> {
  const { rows } = await sql.query(
    `select id, topic, partition, "offset", code, pointer, source, game_uuid as "gameUuid", receipt, push_index as "pushIndex",
       coalesce(received_at, at) as "receivedAt", sent
     from dead_letters where ${isSelected} and id > $4 and id <= $5 order by id limit $6`,
    [...selected(of), after, through, limit],
  );
  return rows as DeadLetterToReplay[];
}

/** The letters of one record are stored in sequence; a record has at most this many. */
const mostOfRecord = 20_000;

async function firstOfRecord(sql: Sql, { id, topic, partition, offset }: DeadLetterToReplay): Promise<number> {
  const { rows } = await sql.query(
    `select min(id) as first from dead_letters
     where id between $1::bigint - ${mostOfRecord} and $1 and topic = $2 and partition = $3 and "offset" = $4`,
    [id, topic, partition, offset],
  );
  return (rows[0]?.first ?? id) as number;
}

async function markReplayed(sql: Sql, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await sql.query(
    `with marked as (
       update dead_letters set state = 'replayed' where id = any ($1::bigint[]) and state = 'open' returning 1
     )
     select count(*) as letters from marked`,
    [ids],
  );
  return rows[0]?.letters as number;
}

/** One statement: wherever the process is killed, every part has exactly one letter. The letters share the element's bytes. */
async function markReplayedInPart(
  sql: Sql,
  id: number,
  game: { uuid: string; id: string },
  parts: readonly Pick<DeadLetter, 'code' | 'detail' | 'pointer'>[],
): Promise<boolean> {
  const { rows } = await sql.query(
    `with element as (
       update dead_letters set state = 'replayed' where id = $1 and state = 'open'
       returning topic, source, receipt, push_index, received_at, sent, payload, payload_id, payload_sha256
     ), shared as (
       insert into letter_payloads (sha256, payload) select payload_sha256, payload from element where payload is not null returning id
     ), parts as (
       insert into dead_letters (topic, code, detail, pointer, source, game_uuid, game_id, receipt, push_index, received_at, sent,
         payload_id, payload_sha256)
       select e.topic, p.code, p.detail, p.pointer, e.source, $2, $3, e.receipt, e.push_index, e.received_at, e.sent,
         coalesce(e.payload_id, (select id from shared)), e.payload_sha256
       from element as e, rows from (jsonb_to_recordset($4::jsonb) as (code text, detail text, pointer text))
         with ordinality as p (code, detail, pointer, place)
       order by p.place
     )
     select count(*) as letters from element`,
    [
      id,
      game.uuid,
      textParameter(game.id),
      jsonParameter(parts.map(({ code, detail, pointer }) => ({ code, detail, pointer }))),
    ],
    'mark_replayed_in_part',
  );
  return rows[0]?.letters === 1;
}

function toListed(row: SqlRow): ListedDeadLetter {
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
