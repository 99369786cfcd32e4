// Prepares a database: it gets the schema that this code needs, and each user connects with the rights of its role only. The embedded
// server's superuser creates the roles and is used for nothing else; a given login assumes the role if it is a member. Independent of what
// the roles may do.
import { createHmac } from 'node:crypto';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Connection } from './embedded.ts';
import { codeOf } from './failures.ts';
import { linkFault } from './link-fault.ts';
import {
  type HeldMigration,
  heldMigrations,
  MigrationRefused,
  migrate,
  type SchemaDistance,
  schemaDistance,
} from './migrate.ts';
import {
  type DatabaseRole,
  databaseRoles,
  grantRights,
  type HeldRoles,
  handOver,
  heldRoles,
  makeRoles,
  rightsChecksum,
  rightsNumber,
} from './roles.ts';
import { openPool, type PoolConfig, type Sql } from './sql.ts';

/** The embedded server's superuser, or the login of a URL. */
export type DatabaseLogin = { kind: 'own'; superuser: Connection } | { kind: 'given'; url: string };

/** `applied`: the migrations that were missing. `newer`: those that this version does not know, but can run with. */
type ReadyDatabase = {
  applied: readonly string[];
  newer: readonly string[];
  as(role: DatabaseRole): Pick<PoolConfig, 'connection' | 'role'>;
};

/** `check` changes nothing, `prepare` does what is missing, `migrate` repeats everything; on a newer schema, none changes anything. */
export type Preparation = 'check' | 'prepare' | 'migrate';

/** Which migrations a check asks for: all of this version, or the names of those without which the work cannot be done. */
export type NeededMigrations = 'all' | readonly string[];

/**
 * Changes nothing in a database with a newer schema, which the earlier release may still be using.
 * @throws MigrationRefused when this code cannot use the schema and may not migrate it
 * @throws CatalogUnavailable when the database does not answer
 * @throws SettingError when the given login's URL is wrong
 */
export async function readyDatabase(
  login: DatabaseLogin,
  log: Log,
  preparation: Preparation,
  roles: readonly DatabaseRole[],
  needed: NeededMigrations = 'all',
): Promise<ReadyDatabase> {
  const connection = login.kind === 'own' ? login.superuser : login.url;
  // Patient, because another process may be migrating.
  const patient = preparation !== 'check';
  const sql = openPool({ connection, log, maxConnections: 1, patient, applicationName: 'sds-prepare' });
  try {
    const held = await heldMigrations(sql);
    const { pending, newer } = schemaDistance(held);
    let applied: readonly string[] = [];
    if (newer.length > 0)
      log.info('the schema is that of a newer version, which this one can use', { migrations: newer.join(', ') });
    else {
      const isGranted = areRightsGranted(held, await heldRoles(sql));
      if (preparation === 'check') judge(pending, needed, isGranted, log);
      else if (preparation === 'migrate' || pending.length > 0 || !isGranted) applied = await prepare(login, sql, log);
    }
    const { open, login: name } = await heldRoles(sql);
    for (const role of roles) if (!open.includes(role)) warnOfLogin(log, name, role);
    return { applied, newer, as: (role) => connectionAs(login, role, open.includes(role)) };
  } catch (error) {
    throw faultOf(login, error) ?? error;
  } finally {
    await sql.close();
  }
}

/** What `sds migrate` would do; changes nothing. `rights`: whether roles lack rights. @throws MigrationRefused when it would refuse */
export async function plannedMigration(login: DatabaseLogin, log: Log): Promise<SchemaDistance & { rights: boolean }> {
  const connection = login.kind === 'own' ? login.superuser : login.url;
  const sql = openPool({ connection, log, maxConnections: 1, applicationName: 'sds-plan' });
  try {
    const held = await heldMigrations(sql);
    const distance = schemaDistance(held);
    const rights = distance.newer.length === 0 && !areRightsGranted(held, await heldRoles(sql));
    return { ...distance, rights };
  } catch (error) {
    throw faultOf(login, error) ?? error;
  } finally {
    await sql.close();
  }
}

function faultOf(login: DatabaseLogin, error: unknown): Error | null {
  return login.kind === 'given' ? linkFault(error) : null;
}

function judge(pending: readonly string[], needed: NeededMigrations, isGranted: boolean, log: Log): void {
  if (pending.some((name) => needed === 'all' || needed.includes(name)))
    throw new MigrationRefused(
      `the database's schema is older than this version needs (without ${pending.join(', ')}): run \`./sds migrate\`, or start with \`./sds start --migrate\``,
    );
  // The migration of an older schema grants the rights too.
  if (!isGranted && pending.length === 0)
    log.warn('the rights in the database are not those of this version', { remedy: './sds migrate' });
}

function areRightsGranted(held: readonly HeldMigration[], { present }: HeldRoles): boolean {
  return held.find(({ number }) => number === rightsNumber)?.checksum === rightsChecksum(present);
}

async function prepare(login: DatabaseLogin, sql: Sql, log: Log): Promise<readonly string[]> {
  await makeRoles(sql, log, login.kind === 'own' ? passwordsOf(login.superuser) : null);
  const isHandedOver = await handOver(sql);
  const owner = openPool({
    ...connectionAs(login, 'sds_migrator', isHandedOver),
    log,
    maxConnections: 1,
    patient: true,
    applicationName: 'sds-migrate',
  });
  try {
    const applied = await migrate(owner, log);
    await grantRights(owner);
    return applied;
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new MigrationRefused(
      `the login of DATABASE_URL may not change the schema (${message}): run \`./sds migrate\` with the login that owns it, or make this one a member of sds_migrator`,
      { cause: error },
    );
  } finally {
    await owner.close();
  }
}

function connectionAs(
  login: DatabaseLogin,
  role: DatabaseRole,
  isOpen: boolean,
): Pick<PoolConfig, 'connection' | 'role'> {
  if (login.kind === 'own')
    return { connection: { ...login.superuser, user: role, password: passwordsOf(login.superuser)[role] } };
  return isOpen ? { connection: login.url, role } : { connection: login.url };
}

/** Each role's password is derived from the superuser's, which is in the data directory. */
function passwordsOf({ password }: Connection): Readonly<Record<DatabaseRole, string>> {
  const of = (role: DatabaseRole) => [role, createHmac('sha256', password).update(role).digest('base64url')];
  return Object.fromEntries(databaseRoles.map(of)) as Record<DatabaseRole, string>;
}

function warnOfLogin(log: Log, login: string, role: DatabaseRole): void {
  log.warn(`the database login is not a member of ${role}: this process keeps all rights of the login`, {
    login,
    remedy: `grant ${role} to "${login}"`,
  });
}
