import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import {
  heldMigrations,
  lockSchema,
  type Migration,
  MigrationRefused,
  migrate,
  readMigrations,
  schemaDistance,
} from '../../../platform/postgres/migrate.ts';
import { readyDatabase } from '../../../platform/postgres/ready-database.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { beginSnapshot } from '../../../platform/postgres/table-rows.ts';
import { allTestServers, openDatabase, testServers } from '../../support/services/databases.ts';
import { dumpSchema } from '../../support/services/schema-dump.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const expectedFile = new URL('../../../schemas/catalog/expected.sql', import.meta.url);

const invented = (number: number, text: string, servesFrom: number | null = null): Migration => ({
  number,
  name: `m${number}`,
  text,
  checksum: text,
  servesFrom,
});

for (const server of await allTestServers()) {
  describe(`migrations on ${server.name}`, skipFor(server.skip), () => {
    it('make exactly the schema of expected.sql', async () => {
      const { sql } = await openDatabase(server);
      const dump = await dumpSchema(sql);
      if (process.env.SDS_WRITE_EXPECTED === '1') writeFileSync(expectedFile, dump);
      assert.equal(dump, readFileSync(expectedFile, 'utf8'));
    });

    it('apply once, in order, and answer what they applied', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const one = invented(1, 'create table a (n integer)');
      const two = invented(2, 'alter table a add m integer; create index a_by_m on a (m)');
      assert.deepEqual(await migrate(sql, silentLog, [one]), ['m1']);
      assert.deepEqual(await migrate(sql, silentLog, [one, two]), ['m2']);
      assert.deepEqual(await migrate(sql, silentLog, [one, two]), []);
      await sql.query('insert into a (n, m) values (1, 2)');
    });

    it('apply once when eight processes start together', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const all = [invented(1, 'create table a (n integer)'), invented(2, 'create table b (n integer)')];
      const answers = await Promise.all(Array.from({ length: 8 }, () => migrate(sql, silentLog, all)));
      assert.deepEqual(answers.flat().sort(), ['m1', 'm2']);
    });

    it('refuse one that was edited after it had been applied', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      await migrate(sql, silentLog, [invented(1, 'create table a (n integer)')]);
      const edited = [invented(1, 'create table a (n bigint)'), invented(2, 'create table b (n integer)')];
      await assert.rejects(migrate(sql, silentLog, edited), MigrationRefused);
      const { rows } = await sql.query("select to_regclass('b') as b");
      assert.deepEqual(rows, [{ b: null }], 'nothing after it is applied');
    });

    it('refuse a database of a newer version', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const one = invented(1, 'create table a (n integer)');
      await migrate(sql, silentLog, [one, invented(2, 'create table b (n integer)')]);
      await assert.rejects(migrate(sql, silentLog, [one]), /0002_m2.*newer version/);
    });

    it('let the versions that they name go on beside them, and none of these migrates', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const all = [1, 2, 3].map((number) =>
        invented(number, `create table t${number} (n integer)`, number - 1 || null),
      );
      const known = (count: number) => all.slice(0, count);
      await migrate(sql, silentLog, known(1));
      assert.deepEqual(schemaDistance(await heldMigrations(sql), all), { pending: ['0002_m2', '0003_m3'], newer: [] });
      await migrate(sql, silentLog, all);
      const held = await heldMigrations(sql);
      assert.deepEqual(schemaDistance(held, all), { pending: [], newer: [] });
      assert.deepEqual(schemaDistance(held, known(2)), { pending: [], newer: ['0003_m3'] });
      assert.throws(() => schemaDistance(held, known(1)), /0003_m3.*newer version/, 'two releases back');
      await assert.rejects(migrate(sql, silentLog, known(2)), MigrationRefused);
    });

    it('find what an earlier build noted of them, who named no versions', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const one = invented(1, 'create table a (n integer)');
      await migrate(sql, silentLog, [one]);
      await sql.query('alter table schema_migrations drop column serves_from');
      assert.deepEqual(schemaDistance(await heldMigrations(sql), [one]), { pending: [], newer: [] });
      assert.throws(() => schemaDistance([{ ...one, number: 2, servesFrom: null }], [one]), MigrationRefused);
      assert.deepEqual(await migrate(sql, silentLog, [one, invented(2, 'create table b (n integer)', 1)]), ['m2']);
    });

    it('that wait for a table do not stop those who use it meanwhile', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const one = invented(1, 'create table a (n integer)');
      await migrate(sql, silentLog, [one]);
      const [reading, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // As a backup does.
      const reader = sql.transaction(async (tx) => {
        await beginSnapshot(tx);
        await tx.query('select from a, schema_migrations');
        reading.resolve();
        await ended.promise;
      });
      await reading.promise;
      const migrating = migrate(sql, silentLog, [one, invented(2, 'alter table a add m integer')]);
      const waiting = `select from pg_locks where not granted and locktype = 'relation'
        and database = (select oid from pg_database where datname = current_database())`;
      while ((await sql.query(waiting)).rowCount === 0);
      try {
        // Behind the waiting migration, each with the patience of a service's statement.
        for (let round = 0; round < 2; round += 1) {
          await sql.query('select from a');
          while ((await sql.query(waiting)).rowCount === 0);
        }
        assert.deepEqual(schemaDistance(await heldMigrations(sql), [one]), { pending: [], newer: [] });
      } finally {
        ended.resolve();
        await reader;
      }
      assert.deepEqual(await migrating, ['m2']);
    });

    it('leave nothing of one that fails half way', async () => {
      const { sql } = await openDatabase(server, { empty: true });
      const broken = invented(1, 'create table a (n integer); insert into a values (1 / 0)');
      await assert.rejects(migrate(sql, silentLog, [broken]), /division by zero/);
      const { rows } = await sql.query("select to_regclass('a') as a");
      assert.deepEqual(rows, [{ a: null }]);
    });
  });
}

const [main] = testServers;

describe('a second migration', skipFor(main?.skip ?? false), () => {
  it('waits for the first, also longer than any statement of the service', async () => {
    const { config } = await openDatabase(main);
    const first = openPool({ ...config, maxConnections: 1, patient: true });
    try {
      const held = Promise.withResolvers<void>();
      const migrating = first.transaction(async (tx) => {
        await lockSchema(tx);
        held.resolve();
        await tx.query('select pg_sleep(13)');
      });
      await held.promise;
      const login = { kind: 'given', url: config.connection as string } as const;
      assert.deepEqual((await readyDatabase(login, silentLog, 'migrate', [])).applied, []);
      await migrating;
    } finally {
      await first.close();
    }
  });
});

it('migrations are numbered from 1 without a gap', () => {
  const migrations = readMigrations();
  assert.deepEqual(
    migrations.map((migration) => migration.number),
    migrations.map((_, index) => index + 1),
  );
});
