// The roles of the database: sds_migrator owns the schema, sds_writer changes rows, sds_admin runs the administrator's commands, sds_api
// reads what it serves and calls functions (schemas/catalog/rights.sql). Creates them if the login may, and hands the schema over;
// otherwise names the statements that an administrator has to run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import { codeOf } from './failures.ts';
import { lockSchema, migrationsDir } from './migrate.ts';
import type { Sql } from './sql.ts';

export const databaseRoles = ['sds_migrator', 'sds_writer', 'sds_admin', 'sds_api'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** The roles that exist in the cluster, and those that the login may assume. */
export type HeldRoles = { login: string; present: readonly DatabaseRole[]; open: readonly DatabaseRole[] };

export async function heldRoles(login: Sql): Promise<HeldRoles> {
  const { rows } = await login.query(
    `select current_user as login, array_agg(rolname::text order by rolname) as present,
       array_agg(rolname::text order by rolname) filter (where pg_has_role(
         oid, case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end)) as open
     from (select) as once left join pg_roles on rolname = any ($1)`,
    [databaseRoles],
  );
  const named = (names: unknown) => databaseRoles.filter((role) => (names as (string | null)[] | null)?.includes(role));
  return { login: rows[0]?.login as string, present: named(rows[0]?.present), open: named(rows[0]?.open) };
}

/** Errors of a login without permission, and errors when another process prepares a database of the same cluster. */
const [notPermitted, alreadyMade] = [
  ['42501', '42704'],
  ['42710', '23505', 'XX000'],
];

/**
 * Creates the missing roles and makes the login a member; `passwords`: for roles that log in. If the login may not, logs the statements
 * that an administrator has to run.
 */
export async function makeRoles(
  login: Sql,
  log: Log,
  passwords: Readonly<Record<DatabaseRole, string>> | null,
): Promise<void> {
  const before = await heldRoles(login);
  const wanted: string[] = [];
  for (const role of databaseRoles) {
    // Our passwords are base64url: nothing needs escaping.
    const how = passwords === null ? 'nologin' : `login password '${passwords[role]}'`;
    const statements = [
      ...(before.present.includes(role) ? [] : [`create role ${role} ${how}`]),
      ...(before.open.includes(role) ? [] : [`grant ${role} to "${before.login}"`]),
    ];
    for (const statement of statements) if (!(await isDone(login, statement))) wanted.push(statement);
  }
  const after = await heldRoles(login);
  if (databaseRoles.every((role) => after.open.includes(role))) return;
  log.warn(
    'the database does not separate roles until an administrator has run these statements and then `./sds migrate`',
    {
      login: before.login,
      statements: `${wanted.join('; ')};`,
    },
  );
}

/** Runs a statement that may be forbidden, or done concurrently by another process; false if it is forbidden. */
async function isDone(sql: Sql, statement: string): Promise<boolean> {
  try {
    await sql.query(statement);
    return true;
  } catch (error) {
    if (alreadyMade.includes(codeOf(error))) return true;
    if (notPermitted.includes(codeOf(error))) return false;
    throw error;
  }
}

/**
 * Makes sds_migrator the owner of the schema and of everything of ours in it, if the login may assume that role and transfer ownership;
 * returns whether the role may now change the schema.
 */
export async function handOver(login: Sql): Promise<boolean> {
  if (!(await heldRoles(login)).open.includes('sds_migrator')) return false;
  return login.transaction(async (tx) => {
    await lockSchema(tx);
    await tx.query(handOverStatement);
    const { rows } = await tx.query(
      `select has_schema_privilege('sds_migrator', 'public', 'create') and not exists (
         select from pg_class where relnamespace = 'public'::regnamespace and relname = 'schema_migrations'
           and not pg_has_role('sds_migrator', relowner, 'usage')) as able`,
    );
    return rows[0]?.able === true;
  });
}

/** No other role may create anything in the schema, not even a temporary table. Skips objects that the login may not transfer. */
const handOverStatement = `do $$
  declare
    statement text;
  begin
    for statement in
      select 'grant usage, create on schema public to sds_migrator'
        where not has_schema_privilege('sds_migrator', 'public', 'create')
      union all select 'revoke create on schema public from public' where has_schema_privilege('public', 'public', 'create')
      union all select format('grant usage on schema public to %I', rolname) from pg_roles
        where rolname in ('sds_writer', 'sds_admin', 'sds_api') and not has_schema_privilege(oid, 'public', 'usage')
      union all select format('revoke temporary on database %I from public', current_database())
        where has_database_privilege('public', current_database(), 'temporary')
      union all select format('alter table %s owner to sds_migrator', oid::regclass) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_has_role(relowner, 'usage')
          and relowner <> 'sds_migrator'::regrole
      union all select format('alter function %s owner to sds_migrator', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace and prokind = 'f' and pg_has_role(proowner, 'usage')
          and proowner <> 'sds_migrator'::regrole
    loop
      begin
        execute statement;
      exception when insufficient_privilege then null;
      end;
    end loop;
  end $$`;

const rightsText = readFileSync(join(migrationsDir, 'rights.sql'), 'utf8');

/** The number under which schema_migrations records the granted rights and their roles. */
export const rightsNumber = 0;

/** Recorded once rights.sql has been applied while these roles existed. */
export function rightsChecksum(present: readonly DatabaseRole[]): string {
  return createHash('sha256').update(rightsText).update(present.join()).digest('hex');
}

/** Applies rights.sql. `owner`: the role that owns the schema. */
export async function grantRights(owner: Sql): Promise<void> {
  const { present } = await heldRoles(owner);
  await owner.transaction(async (tx) => {
    await lockSchema(tx);
    await tx.query(rightsText);
    await tx.query(
      `insert into schema_migrations (number, name, checksum) values ($1, 'rights', $2)
       on conflict (number) do update set checksum = excluded.checksum, applied_at = now()`,
      [rightsNumber, rightsChecksum(present)],
    );
  });
}
