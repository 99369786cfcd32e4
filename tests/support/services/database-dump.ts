// Everything in a database as text, for tests that search for what must not be stored.
import type { Sql } from '../../../platform/postgres/sql.ts';

/**
 * Every row of every table, the system catalog's included, as PostgreSQL writes it, with bytes in hexadecimal. `sql`: a
 * superuser's.
 */
export async function dumpOf(sql: Sql): Promise<string> {
  const { rows: tables } = await sql.query(
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'm') and not relispartition or relkind = 'p' order by 1`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql.query(`select t::text as row from ${name} t`);
    parts.push(`-- ${name}`, ...rows.map(({ row }) => row as string));
  }
  return parts.join('\n');
}
