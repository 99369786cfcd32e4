// Writes every row of our tables as text, in PostgreSQL's own row format, and reads it back. Independent of what the tables mean. Generated
// columns are read, and recomputed when written.
import type { Sql } from './sql.ts';

/** `name` and `columns` are quoted for SQL; generated columns are left out. */
export type TableForm = { name: string; columns: readonly string[] };

/**
 * Starts a snapshot: every later statement of the transaction sees the same moment. Returns when the transaction began, by the database's
 * clock; everything committed before is visible.
 */
export async function beginSnapshot(tx: Sql): Promise<string> {
  await tx.query('set transaction isolation level repeatable read, read only');
  await tx.query('set local statement_timeout = 0');
  await tx.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await tx.query(`select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`);
  return String(rows[0]?.at);
}

/** The tables whose rows are backed up. Left out: unlogged tables, which only describe the current moment, and the table of migrations. */
export async function keptTables(sql: Sql): Promise<readonly TableForm[]> {
  const { rows } = await sql.query(
    `select format('%I', relname) as name,
       (select array_agg(format('%I', attname) order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from pg_class c
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
       and relname <> 'schema_migrations'
     order by relname`,
  );
  return rows.map(({ name, columns }) => ({ name: String(name), columns: columns as string[] }));
}

export async function countRows(sql: Sql, tables: readonly TableForm[]): Promise<number> {
  const { rows } = await sql.query(
    `select ${tables.map(({ name }) => `(select count(*) from ${name})`).join(' + ')} as count`,
  );
  return rows[0]?.count as number;
}

/** A batch contains about this many bytes: a row of the log may have megabytes. */
const batchBytes = 4 * 1024 * 1024;
const mostRows = 5_000;

export async function* readRows(tx: Sql, { name }: TableForm): AsyncGenerator<readonly string[]> {
  await tx.query(`declare kept no scroll cursor for select t::text as row from ${name} t`);
  for (let count = 10; ; ) {
    const { rows } = await tx.query(`fetch ${count} from kept`);
    const texts = rows.map(({ row }) => String(row));
    if (texts.length > 0) yield texts;
    if (texts.length < count) break;
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    count = Math.max(1, Math.min(mostRows, Math.floor((batchBytes * texts.length) / Math.max(1, bytes))));
  }
  await tx.query('close kept');
}

/** For a login that may disable triggers and foreign keys: a superuser. */
export async function beginFilling(tx: Sql, tables: readonly TableForm[]): Promise<void> {
  await tx.query('set local statement_timeout = 0');
  await tx.query('set local idle_in_transaction_session_timeout = 0');
  await tx.query('set local session_replication_role = replica');
  if (tables.length > 0) await tx.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
}

export async function writeRows(tx: Sql, { name, columns }: TableForm, rows: readonly string[]): Promise<void> {
  const values = columns.map((column) => `(r.kept).${column}`).join(', ');
  await tx.query(
    `insert into ${name} (${columns.join(', ')}) overriding system value
     select ${values} from (select text::${name} as kept from unnest($1::text[]) text) r`,
    [rows],
  );
}

/**
 * Sequences by name, with the last value that each returned; those never used are left out.
 * @throws Error with the remedy when the login may not read one: PostgreSQL would show it as never used
 */
export async function readSequences(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql.query(
    `select format('%I', sequencename) as name, last_value::text as value, has_sequence_privilege(c.oid, 'select') as readable
     from pg_sequences join pg_class c on c.relnamespace = 'public'::regnamespace and c.relname = sequencename
     where schemaname = 'public' order by 1`,
  );
  const closed = rows.filter(({ readable }) => readable !== true).map(({ name }) => String(name));
  if (closed.length > 0)
    throw new Error(
      `the database login may not read ${closed.join(', ')}: run \`./sds migrate\`, which grants it to sds_admin, or make this login a member of it`,
    );
  return Object.fromEntries(
    rows.filter(({ value }) => value !== null).map(({ name, value }) => [String(name), String(value)]),
  );
}

export async function writeSequences(tx: Sql, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await tx.query('select setval($1::regclass, $2)', [name, value]);
}

/** Moves the sequences of identity columns on to the highest number in their tables: a backup may lack them. */
export async function raiseSequences(tx: Sql): Promise<void> {
  const { rows } = await tx.query(
    `select format('%I', relname) as table, format('%I', attname) as column,
       pg_get_serial_sequence(format('public.%I', relname), attname) as sequence
     from pg_class c join pg_attribute on attrelid = c.oid and attidentity <> ''
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  for (const { table, column, sequence } of rows)
    await tx.query(
      `select setval($1::regclass, max(${column})) from ${table}
       having max(${column}) > coalesce(pg_sequence_last_value($1::regclass), 0)`,
      [sequence],
    );
}
