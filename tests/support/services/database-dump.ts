// Everything that a database holds, as text: for tests that look for what must not be there.
import type { Sql } from '../../../platform/postgres/sql.ts';

/** Every row of every table, the catalog's own included, as PostgreSQL writes it; bytes are hexadecimal there. `sql`: of a superuser. */
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
