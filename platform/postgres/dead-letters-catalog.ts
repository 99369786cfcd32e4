// Dead letters as the gateway stores them and the administrator reads them. Those of a projector are part of its commit.
import { mostDeadLettersOfFold } from '../../core/access/feed-quotas.ts';
import type {
  DeadLetter,
  DeadLettersCatalog,
  DeadLettersQuery,
  ListedDeadLetter,
} from '../../core/ports/catalog/dead-letters.ts';
import type { Micros } from '../../core/units.ts';
import { deadLettersParameter, insertDeadLetters } from './dead-letters.ts';
import type { Sql, SqlRow } from './sql.ts';
import { textParameter } from './values.ts';

export function openDeadLettersCatalog(sql: Sql): DeadLettersCatalog {
  return {
    store: (letters) => store(sql, letters),
    list: (query) => listLetters(sql, query),
    one: (id) => oneDeadLetter(sql, id),
    ofFoldToday: () => ofFoldToday(sql),
    count: () => countOpen(sql),
  };
}

async function store(sql: Sql, letters: readonly DeadLetter[]): Promise<void> {
  await sql.query(insertDeadLetters('$1'), [deadLettersParameter(letters)], 'store_dead_letters');
}

const letterColumns = 'id, topic, partition, "offset", code, detail, pointer, source, game_id, at, state';

async function listLetters(sql: Sql, query: DeadLettersQuery): Promise<ListedDeadLetter[]> {
  const { rows } = await sql.query(
    `select ${letterColumns} from dead_letters
     where id > $1 and ($3::text is null or code = $3) and ($4::text is null or source = $4)
     order by id limit $2`,
    [query.after ?? 0, query.limit, query.code, textParameter(query.source)],
  );
  return rows.map(toListed);
}

async function oneDeadLetter(sql: Sql, id: number) {
  const { rows } = await sql.query(
    `select ${letterColumns}, receipt,
       coalesce(payload, (select shared.payload from letter_payloads as shared where shared.id = payload_id)) as payload
     from dead_letters where id = $1`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return { ...toListed(row), receipt: row.receipt as string | null, payload: row.payload as Uint8Array };
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

async function countOpen(sql: Sql): Promise<number> {
  const { rows } = await sql.query(`select count(*) as letters from dead_letters where state = 'open'`);
  return rows[0]?.letters as number;
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
