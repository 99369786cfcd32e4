// Claim: reading creates nothing, and only `sds migrate`, `sds start --migrate` and a start of the embedded edition change a schema; a process
// of the release before goes on beside a newer one that names it, and its `sds migrate` has nothing to do there
// (docs/operations.md#migrations).
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { readMigrations } from '../../../platform/postgres/migrate.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { Program } from '../../support/campaigns/program.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { testPeppers } from '../../support/processes/process-environment.ts';
import { nextRelease } from '../../support/processes/releases.ts';
import { type Ran, runSds } from '../../support/processes/sds.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const dir = makeDataFolder('migrate');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const postgres = await services.postgres();
const newest = readMigrations().at(-1)!;
const own = {
  SDS_EDITION: 'embedded',
  SDS_DATA_DIR: join(dir, 'own'),
  SDS_API_PORT: '0',
  SDS_INGEST_PORT: '0',
  DATABASE_URL: '',
  LOG_LEVEL: 'error',
};

type Plan = { pending: string[]; newer: string[]; rights: boolean };

/** What `sds migrate` would do there. */
async function plan(environment: Readonly<Record<string, string>>): Promise<Plan> {
  const ran = await runSds(environment, ['migrate', '--plan', '--json']);
  assert.equal(ran.code, 0, ran.err);
  return JSON.parse(ran.out) as Plan;
}

function assertEnds(ran: Ran, code: number, why: RegExp): void {
  assert.equal(ran.code, code, JSON.stringify(ran));
  assert.match(ran.err, why);
  assert.equal(ran.err.trim().split('\n').length, 1, ran.err);
}

describe('a data directory that holds no service', () => {
  it('is not made one by a command that reads or changes', async () => {
    const why = /^sds: SDS_DATA_DIR is .*own, and holds no database: `\.\/sds start` makes one/;
    for (const command of [['status'], ['verify'], ['accounts', 'create', '--name', 'x', '--tier', 'PRO']])
      assertEnds(await runSds(own, command), 2, why);
    const { pending, newer, rights } = await plan(own);
    assert.deepEqual([pending.length, pending.at(-1), newer, rights], [newest.number, label(newest), [], true]);
    assert.ok(!existsSync(own.SDS_DATA_DIR));
    assert.deepEqual(readdirSync(dir), []);
  });

  it('is made one by sds migrate, and a second time nothing is missing', async () => {
    const ran = await runSds(own, ['migrate', '--json']);
    assert.equal(ran.code, 0, ran.err);
    assert.equal((JSON.parse(ran.out) as { applied: string[] }).applied.length, newest.number);
    assert.deepEqual(await plan(own), { pending: [], newer: [], rights: false });
    assert.equal((await runSds(own, ['status'])).code, 0);
    assertEnds(
      await runSds(own, ['feed-keys', 'mint', '--source', 'x']),
      2,
      /has no key-peppers: the first start makes them/,
    );
  });
});

describe('a database that several processes use', skipFor(postgres.skip), () => {
  it('gets no schema from a command or a start that was not told to', async () => {
    if (postgres.skip !== false) return;
    const database = await postgres.createDatabase();
    const sql = openPool({ connection: database.url, maxConnections: 1 });
    const environment = distributed(database.url);
    const program = new Program('service', environment, { roles: ['projectors', '--migrate'] });
    try {
      const older =
        /^sds: the database's schema is older .*: run `\.\/sds migrate`, or start with `\.\/sds start --migrate`\n$/;
      assertEnds(await runSds(environment, ['status']), 3, older);
      for (const roles of [['projectors'], ['api'], ['all']])
        assertEnds(await runSds(environment, ['start', ...roles]), 3, older);
      assert.equal((await plan(environment)).pending.length, newest.number);
      assert.deepEqual((await sql.query("select to_regclass('schema_migrations') as made")).rows, [{ made: null }]);

      // With `--migrate` it migrates, then waits for a Kafka that does not exist.
      program.start();
      await until('it waits for Kafka', () => program.said.some(({ msg }) => msg === 'waiting for a dependency'));
      assert.deepEqual(await plan(environment), { pending: [], newer: [], rights: false });
    } finally {
      await program.kill();
      await sql.close();
      await database.drop();
    }
  });

  it('serves the release before, when the newer schema names it', async () => {
    if (postgres.skip !== false) return;
    const database = await postgres.createDatabase();
    const sql = openPool({ connection: database.url, maxConnections: 1 });
    const environment = { ...own, SDS_DATA_DIR: join(dir, 'rolled'), DATABASE_URL: database.url };
    const next = nextRelease(dir, 'next', []);
    const file = `${String(newest.number + 1).padStart(4, '0')}_later.sql`;
    writeFileSync(
      join(next, 'schemas/catalog', file),
      `-- serves-from: ${String(newest.number).padStart(4, '0')}\ncreate table later (n integer);\n`,
    );
    const program = new Program('service', environment, { roles: ['all'] });
    try {
      assert.equal((await runSds(environment, ['migrate'], { of: next })).code, 0);
      program.start();
      await program.untilReady();
      assert.ok(program.ready, JSON.stringify(program.ends));
      assert.equal((await runSds(environment, ['status'])).code, 0);
      assert.deepEqual((await plan(environment)).newer, [file.slice(0, -4)]);

      // A roll-back runs it first, as each roll-out does.
      const nothing = await runSds(environment, ['migrate']);
      assert.deepEqual([nothing.code, nothing.err], [0, '']);
      const why = 'the schema is that of a newer version, which this one can use: nothing to do';
      assert.equal(nothing.out, `${why} (${file.slice(0, -4)})\n`);
      const said = await runSds(environment, ['migrate', '--json']);
      assert.deepEqual(JSON.parse(said.out), { migrated: true, applied: [], newer: [file.slice(0, -4)] });

      await program.kill();
      await sql.query('update schema_migrations set serves_from = null where number > $1', [newest.number]);
      assertEnds(await runSds(environment, ['migrate']), 3, /which this version does not know: run the newer version/);
    } finally {
      await program.kill();
      await sql.close();
      await database.drop();
    }
  });
});

function label({ number, name }: { number: number; name: string }): string {
  return `${String(number).padStart(4, '0')}_${name}`;
}

/** Settings of the distributed edition; of its services, only the database exists. */
function distributed(databaseUrl: string): Record<string, string> {
  return {
    ...own,
    SDS_EDITION: 'distributed',
    SDS_DATA_DIR: join(dir, 'distributed'),
    DATABASE_URL: databaseUrl,
    KAFKA_BROKERS: '127.0.0.1:1',
    SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
    S3_BUCKET: 'none',
    SDS_KEY_PEPPERS: testPeppers,
    LOG_LEVEL: 'warn',
  };
}
