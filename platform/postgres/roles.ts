// The roles of the database: sds_migrator owns the schema, sds_writer changes rows, sds_admin is that of the administrator's commands, sds_api reads
// what it serves and calls functions (schemas/catalog/rights.sql). Makes them where the login may, hands the schema over, and says what an
// administrator has to do where it may not.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import { codeOf } from './failures.ts';
import { lockSchema, migrationsDir } from './migrate.ts';
import type { Sql } from './sql.ts';

export const databaseRoles = ['sds_migrator', 'sds_writer', 'sds_admin', 'sds_api'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** The roles that the cluster has, and those of them whose rights the login may take. */
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

/** What a login may be refused, or find done by another that prepares a database of the same cluster. */
const [notPermitted, alreadyMade] = [
  ['42501', '42704'],
  ['42710', '23505', 'XX000'],
];

/**
 * Makes the roles that are missing, and the login a member of them; `passwords`: with which each logs in, where it does.
 * Where the login may not, it says which statements an administrator has to run.
 */
export async function makeRoles(
  login: Sql,
  log: Log,
  passwords: Readonly<Record<DatabaseRole, string>> | null,
): Promise<void> {
  const before = await heldRoles(login);
  const wanted: string[] = [];
  for (const role of databaseRoles) {
    // A password of ours is base64url: there is nothing to escape.
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
    'the database keeps no roles apart until an administrator of it has run these statements, and then `sds migrate`',
    {
      login: before.login,
      statements: `${wanted.join('; ')};`,
    },
  );
}

/** Runs what may not be permitted, or done by another at the same time; false where it is not permitted. */
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
 * Gives sds_migrator the schema and everything of ours in it, where the login may take that role and hand things over; answers whether
 * the role may change the schema now.
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

/** No other role makes anything in the schema, not even a temporary table. What the login may not give it leaves. */
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

/** The number under which schema_migrations keeps which rights are granted, and to which roles. */
export const rightsNumber = 0;

/** What is kept once rights.sql was applied while these roles were there. */
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
