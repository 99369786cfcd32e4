// The rights of the database roles (schemas/catalog/rights.sql): the API reads and calls, the writer changes rows, only the migrator
// changes the schema. Every table is decided here; a new table fails until it is decided too.
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import type { Log } from '../../../core/ports/telemetry.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openDatabase as openForCommand } from '../../../ops/service/drivers.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { startEmbeddedPostgres } from '../../../platform/postgres/embedded.ts';
import { codeOf } from '../../../platform/postgres/failures.ts';
import { MigrationRefused, migrate, readMigrations } from '../../../platform/postgres/migrate.ts';
import { readyDatabase } from '../../../platform/postgres/ready-database.ts';
import { databaseRoles } from '../../../platform/postgres/roles.ts';
import { openPool, type PoolConfig, type Sql } from '../../../platform/postgres/sql.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { allTestServers, openDatabase, type TestDatabase, testServers } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const readByApi =
  `accounts api_keys artifacts games health_reports leases live_boards live_logs live_segments live_tail_versions msf_archives msf_epochs msf_revisions msf_streams
  players schema_migrations settlements stream_state team_names teams told_team_names usage_charges usage_games usage_marks usage_months`.split(
    /\s+/,
  );
const closedToApi =
  `audit dead_letters dropped_letters feed_key_days feed_keys fold_letter_days game_events games_founded idempotency_keys letter_payloads lineups log_batches log_claims
  log_early_keys log_groups log_layouts log_members log_partitions log_schemas log_topics msf_archive_counts msf_authorities msf_refused_sources objects
  outbox receipt_folds receipts source_ids sources topic_schemas venues`.split(/\s+/);
/** Functions that change what no role may change: one of a trigger, one of the command that adds partitions. */
const ofReleases = ['keep_older_releases_out', 'keep_out_releases_without_layouts'];
const calledByApi = ['charge', 'expire_usage', 'join_group', 'refund', 'usage_now'];

const notPermitted = '42501';

/** The SQLSTATE with which a statement fails; empty if it succeeds. */
async function failureOf(sql: Sql, statement: string): Promise<string> {
  try {
    await sql.query(statement);
    return '';
  } catch (error) {
    return codeOf(error);
  }
}

async function within(
  config: Pick<PoolConfig, 'connection' | 'role'>,
  work: (sql: Sql) => Promise<void>,
): Promise<void> {
  const sql = openPool({ ...config, maxConnections: 1 });
  try {
    await work(sql);
  } finally {
    await sql.close();
  }
}

/** A log that keeps its warnings. */
function keptLog(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (message: string, fields?: unknown) => void warnings.push(`${message} ${JSON.stringify(fields)}`);
  return { log: { ...silentLog, warn }, warnings };
}

const schemaChanges = [
  'create table mine (n integer)',
  'create temporary table mine (n integer)',
  'create schema mine',
  "create function mine() returns integer language sql as 'select 1'",
  'create role mine',
];

for (const server of await allTestServers()) {
  describe(`roles on ${server.name}`, skipFor(server.skip), () => {
    let database: TestDatabase;
    let tables: string[];
    beforeAll(async () => {
      database = await openDatabase(server);
      const { rows } = await database.sql.query(
        `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by 1`,
      );
      tables = rows.map(({ name }) => name as string);
    });

    /** What a login with these rights may do with a table, tried by statements that change nothing. */
    async function mayDo(sql: Sql, table: string): Promise<string[]> {
      const { rows } = await database.sql.query(
        `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and attidentity = '' limit 1`,
        [table],
      );
      const column = rows[0]?.name as string;
      const statements = {
        select: `select ${column} from ${table} limit 0`,
        insert: `insert into ${table} (${column}) select ${column} from ${table} where false`,
        'insert alone': `insert into ${table} default values`,
        update: `update ${table} set ${column} = default where false`,
        delete: `delete from ${table} where false`,
        lock: `select from ${table} limit 0 for update`,
        truncate: `truncate ${table}`,
        alter: `alter table ${table} add mine integer`,
        index: `create index on ${table} (${column})`,
        drop: `drop table ${table}`,
        trigger: `create trigger mine before insert on ${table} execute function suppress_redundant_updates_trigger()`,
      };
      const tries = Object.entries(statements).map(
        ([name, statement]) => `
          begin
            execute $st$${statement}$st$;
            raise exception using errcode = 'ZZ999';
          exception
            when insufficient_privilege then null;
            when others then may := may || '${name}'::text;
          end;`,
      );
      const all = `do $do$ declare may text[]; begin ${tries.join('')} raise exception '%', to_json(may); end $do$`;
      const raised = await sql.query(all).then(
        () => assert.fail('no error was raised'),
        ({ message }: Error) => message,
      );
      return (JSON.parse(raised.replace('<NULL>', 'null')) as string[] | null) ?? [];
    }

    it('have a decision for every table', () => {
      assert.deepEqual(tables, [...readByApi, ...closedToApi].sort());
    });

    it('let the API read what it serves, and change nothing', async () => {
      for (const table of tables) {
        assert.deepEqual(await mayDo(database.api, table), readByApi.includes(table) ? ['select'] : [], table);
      }
      for (const statement of schemaChanges)
        assert.equal(await failureOf(database.api, statement), notPermitted, statement);
    });

    it('let the API call the functions that write for it, and no other', async () => {
      const { rows } = await database.api.query(
        `select proname::text as name from pg_proc where pronamespace = 'public'::regnamespace and has_function_privilege(oid, 'execute')
         order by proname collate "C"`,
      );
      assert.deepEqual(
        rows.map(({ name }) => name),
        calledByApi,
      );
      const { rows: definers } = await database.sql.query(
        `select proname::text as name, array_to_string(proconfig, ' ') as path from pg_proc
         where pronamespace = 'public'::regnamespace and prosecdef order by proname collate "C"`,
      );
      const path = 'search_path=pg_catalog, public, pg_temp';
      assert.deepEqual(
        definers,
        [...calledByApi.filter((name) => name !== 'usage_now'), ...ofReleases].sort().map((name) => ({ name, path })),
      );
      assert.equal(await failureOf(database.api, "select join_group('reset', gen_random_uuid())"), '22023');
    });

    for (const role of ['sds_writer', 'sds_admin'] as const) {
      it(`let ${role} change rows and nothing else; what an account has bought, sds_admin alone`, async () => {
        await within({ ...database.config, role }, async (sql) => {
          for (const table of tables) {
            const rows = ['select', 'insert', 'insert alone', 'update', 'delete', 'lock'];
            const less: Readonly<Record<string, string[]>> = {
              schema_migrations: ['select'],
              audit: rows.slice(0, 3),
              ...(role === 'sds_writer' ? { accounts: ['select', 'insert', 'insert alone', 'lock'] } : {}),
            };
            assert.deepEqual(await mayDo(sql, table), less[table] ?? rows, table);
          }
          for (const column of ['tier', 'entitled', 'monthly_rows'])
            assert.equal(
              await failureOf(sql, `update accounts set ${column} = ${column}`),
              role === 'sds_writer' ? notPermitted : '',
            );
          for (const statement of schemaChanges) assert.equal(await failureOf(sql, statement), notPermitted, statement);
        });
      });
    }

    it('are made, and own the schema, wherever the login may; a second time nothing is done', async () => {
      const { config, sql } = await openDatabase(server, { empty: true });
      const login = { kind: 'given', url: config.connection as string } as const;
      const ready = await readyDatabase(login, silentLog, 'prepare', ['sds_writer', 'sds_api']);
      const foreign = await sql.query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relowner <> 'sds_migrator'::regrole`,
      );
      assert.deepEqual(foreign.rows, []);
      await within(ready.as('sds_api'), async (api) => {
        assert.equal(await failureOf(api, "select * from charge('[]')"), '');
        assert.equal(await failureOf(api, "update accounts set tier = 'PRO'"), notPermitted);
      });
      const applied = async () =>
        (await sql.query('select max(applied_at) as at from schema_migrations')).rows[0]?.at as number;
      const at = await applied();
      await readyDatabase(login, silentLog, 'prepare', ['sds_writer']);
      assert.equal(await applied(), at);
      await sql.query('grant insert on accounts to sds_api');
      await readyDatabase(login, silentLog, 'migrate', ['sds_writer']);
      assert.notEqual(await applied(), at);
      await within(ready.as('sds_api'), async (api) => {
        assert.equal(await failureOf(api, 'insert into accounts default values'), notPermitted, 'rights are set anew');
      });
    });
  });
}

describe('roles of the embedded server', () => {
  it('are printed for the administrator if they cannot be created; then each logs in with its own rights', async (test) => {
    const server = await startEmbeddedPostgres(makeDataFolder('roles'), silentLog);
    test.onTestFinished(() => server.stop());
    const { host, port } = server.connection;
    const admin = openPool({ connection: server.connection, maxConnections: 1 });
    test.onTestFinished(() => admin.close());
    await admin.query("create role tenant login password 'test'");
    await admin.query('create database tenants owner tenant');
    const url = `postgres://tenant:test@${encodeURIComponent(host)}:${port}/tenants`;

    // In a managed database whose login may not create roles, it works with the login's rights and says what has to be
    // done.
    const first = keptLog();
    const login = { kind: 'given', url } as const;
    await readyDatabase(login, first.log, 'prepare', ['sds_api']);
    assert.match(
      first.warnings.join('\n'),
      /create role sds_migrator nologin; grant sds_migrator to \\"tenant\\"; create role sds_writer/,
    );
    assert.match(first.warnings.join('\n'), /not a member of sds_api.*grant sds_api to \\"tenant\\"/);

    // The administrator does so, and `sds migrate` hands the schema over.
    for (const role of databaseRoles) {
      await admin.query(`create role ${role}`);
      await admin.query(`grant ${role} to tenant`);
    }
    const second = keptLog();
    const ready = await readyDatabase(login, second.log, 'migrate', ['sds_writer', 'sds_api']);
    assert.deepEqual(second.warnings, []);
    await within(ready.as('sds_api'), async (api) => {
      assert.equal(await failureOf(api, 'select from accounts'), '');
      assert.equal(await failureOf(api, "update accounts set tier = 'PRO'"), notPermitted);
    });
    await within({ connection: url }, async (tenant) => {
      const { rows } = await tenant.query(
        "select tableowner::text as owner from pg_tables where tablename = 'accounts'",
      );
      assert.deepEqual(rows, [{ owner: 'sds_migrator' }]);
    });
  });

  it('log in with passwords of their own, and none becomes another', async (test) => {
    const server = await startEmbeddedPostgres(makeDataFolder('roles'), silentLog);
    test.onTestFinished(() => server.stop());
    const ready = await readyDatabase({ kind: 'own', superuser: server.connection }, silentLog, 'prepare', []);
    for (const role of ['sds_api', 'sds_writer', 'sds_admin'] as const) {
      await within(ready.as(role), async (sql) => {
        const { rows } = await sql.query('select session_user::text as login, current_user::text as acts');
        assert.deepEqual(rows, [{ login: role, acts: role }]);
        for (const other of ['sds', ...databaseRoles.filter((one) => one !== role)])
          assert.equal(await failureOf(sql, `set role ${other}`), notPermitted, `${role} as ${other}`);
      });
    }
    await within(ready.as('sds_migrator'), async (sql) => {
      assert.equal(await failureOf(sql, 'alter table accounts add mine integer'), '');
      assert.equal(await failureOf(sql, 'create role mine'), notPermitted);
    });
  });
});

describe('the commands of an administrator', () => {
  const whoIs = async (environment: Readonly<Record<string, string>>) => {
    const { sql, close } = await openForCommand(readSettings(environment), silentLog);
    try {
      const { rows } = await sql.query('select session_user::text as login, current_user::text as acts');
      const may = async (statement: string) => (await failureOf(sql, statement)) === '';
      return {
        ...rows[0],
        setsTiers: await may("update accounts set tier = 'PRO'"),
        others: await Promise.all(['sds_migrator', 'sds_writer'].map((role) => may(`set role ${role}`))),
      };
    } finally {
      await close();
    }
  };

  it('connect with credentials of their own, in both editions', async (test) => {
    const dataDir = makeDataFolder('roles');
    const server = await startEmbeddedPostgres(dataDir, silentLog);
    test.onTestFinished(() => server.stop());
    await readyDatabase({ kind: 'own', superuser: server.connection }, silentLog, 'migrate', []);
    const own = { setsTiers: true, others: [false, false] };
    assert.deepEqual(await whoIs({ SDS_DATA_DIR: dataDir }), { login: 'sds_admin', acts: 'sds_admin', ...own });

    // In another deployment the administrator's login belongs to that role only, and the service's login does not.
    const { host, port } = server.connection;
    const admin = openPool({ connection: server.connection, maxConnections: 1 });
    test.onTestFinished(() => admin.close());
    await admin.query("create role keeper login password 'test' in role sds_admin");
    await admin.query("create role worker login password 'test' in role sds_writer, sds_api");
    const url = (login: string) => `postgres://${login}:test@${encodeURIComponent(host)}:${port}/postgres`;
    const given = (login: string) => ({ SDS_DATA_DIR: dataDir, DATABASE_URL: url(login) });
    assert.deepEqual(await whoIs(given('keeper')), { login: 'keeper', acts: 'sds_admin', ...own });
    assert.deepEqual(await whoIs(given('worker')), {
      login: 'worker',
      acts: 'worker',
      setsTiers: false,
      others: [false, true],
    });
  });
});

const [server] = testServers;

describe('a process that only serves', skipFor(server?.skip ?? false), () => {
  it('refuses an older schema with the remedy, and changes nothing', async () => {
    const { config, sql } = await openDatabase(server, { empty: true });
    const login = { kind: 'given', url: config.connection as string } as const;
    const older = /older than this version needs \(without .*\): run `\.\/sds migrate`/;
    await assert.rejects(
      readyDatabase(login, silentLog, 'check', ['sds_api']),
      (error) => error instanceof MigrationRefused && older.test(error.message),
    );
    assert.deepEqual((await sql.query("select to_regclass('schema_migrations') as made")).rows, [{ made: null }]);
    const all = readMigrations();
    await migrate(sql, silentLog, all.slice(0, -1));
    await assert.rejects(readyDatabase(login, silentLog, 'check', ['sds_api']), older);
    await readyDatabase(login, silentLog, 'prepare', []);
    await readyDatabase(login, silentLog, 'check', ['sds_api']);
  });

  it('goes on beside a newer schema that allows it, and changes nothing either', async () => {
    const { config, sql } = await openDatabase(server);
    const login = { kind: 'given', url: config.connection as string } as const;
    const newest = readMigrations().at(-1)?.number ?? 0;
    await sql.query(
      `insert into schema_migrations (number, name, checksum, serves_from) values (9999, 'later', 'x', $1)`,
      [newest],
    );
    await sql.query("update schema_migrations set checksum = 'of the newer version' where number = 0");
    for (const preparation of ['check', 'prepare', 'migrate'] as const) {
      const { applied, newer } = await readyDatabase(login, silentLog, preparation, ['sds_api']);
      assert.deepEqual([applied, newer], [[], ['9999_later']]);
    }
    const { rows } = await sql.query('select checksum from schema_migrations where number = 0');
    assert.deepEqual(rows, [{ checksum: 'of the newer version' }]);
    await sql.query('update schema_migrations set serves_from = $1 where number = 9999', [newest + 1]);
    for (const preparation of ['check', 'migrate'] as const)
      await assert.rejects(readyDatabase(login, silentLog, preparation, []), /9999_later.*run the newer version/);
  });
});
