// The database as the drivers use it: values are exact both ways, and everything that could block others has a limit.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { CatalogUnavailable, UnknownCommit } from '../../../core/ports/catalog/errors.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { jsonParameter, textParameter, timestampText } from '../../../platform/postgres/values.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { allTestServers, openDatabase, type TestDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** From 1684 to 2255, the range of a safe integer of microseconds. */
const anyMicros = fc.integer({ min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 });
/** Texts with everything that JSON and UTF-16 allow: U+0000, unpaired surrogates, backslashes. */
const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\ud800', '\udfff', '\\', 'u0000', '"', '\\u0000', '😀'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});

/** The URL of a server that is reached by a socket. */
function urlOf(parts: { host: string; port: number; user: string; password: string; database: string }): string {
  const query = new URLSearchParams({ host: parts.host, port: String(parts.port) });
  return `postgres://${parts.user}:${encodeURIComponent(parts.password)}@localhost/${parts.database}?${query}`;
}

for (const server of await allTestServers()) {
  describe(`sql on ${server.name}`, skipFor(server.skip), () => {
    let database: TestDatabase;
    let sql: Sql;
    beforeAll(async () => {
      database = await openDatabase(server, { empty: true });
      sql = database.sql;
    });
    const one = async (text: string, values: unknown[] = []) => (await sql.query(text, values)).rows[0]?.v;

    describe('values', () => {
      it('times come back to the microsecond', async () => {
        await fc.assert(
          fc.asyncProperty(anyMicros, async (time) => {
            assert.equal(await one('select $1::timestamptz as v', [timestampText(time)]), time);
          }),
          { numRuns: 200 },
        );
      });

      it('text and JSON come back as they were, but for what no database text can hold', async () => {
        const kept = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
        await fc.assert(
          fc.asyncProperty(hostileText, async (text) => {
            assert.equal(await one('select $1::text as v', [textParameter(text)]), kept(text));
            const value = { [`k${kept(text)}`]: [text, null, 1.5, true] };
            assert.deepEqual(await one('select $1::jsonb as v', [jsonParameter(value)]), {
              [`k${kept(text)}`]: [kept(text), null, 1.5, true],
            });
          }),
          { numRuns: 200 },
        );
      });

      it('integers are exact or refused, dates are text, bytes are bytes', async () => {
        assert.equal(await one('select 9007199254740991::bigint as v'), Number.MAX_SAFE_INTEGER);
        await assert.rejects(one('select 9007199254740993::bigint as v'), RangeError);
        assert.equal(await one(`select date '2026-11-01' as v`), '2026-11-01');
        assert.deepEqual([...((await one(`select '\\x00ff'::bytea as v`)) as Buffer)], [0, 255]);
        await assert.rejects(one(`select timestamptz 'infinity' as v`), RangeError);
        assert.equal(await one('select 1 as v'), 1, 'the connection is as good as before');
      });
    });

    it('the settings of a URL are added to those of every connection', async () => {
      const { connection } = database.config;
      const url = new URL(typeof connection === 'string' ? connection : urlOf(connection));
      url.searchParams.set('options', '-c work_mem=1234kB');
      const pool = openPool({ connection: url.href, maxConnections: 1 });
      try {
        const { rows } = await pool.query(
          `select current_setting('TimeZone') as zone, current_setting('enable_seqscan') as whole,
             current_setting('work_mem') as own`,
        );
        assert.deepEqual(rows, [{ zone: 'UTC', whole: 'off', own: '1234kB' }]);
      } finally {
        await pool.close();
      }
    });

    it('times are read right in a database that writes dates in another style', async () => {
      const { sql: owner, config } = await openDatabase(server, { empty: true });
      await owner.query(
        `do $$ begin execute format('alter database %I set DateStyle = ''SQL, DMY''', current_database()); end $$`,
      );
      const pool = openPool({ ...config, maxConnections: 1 });
      try {
        const { rows } = await pool.query(`select $1::timestamptz as time, date '2026-11-01' as day`, [
          timestampText(5),
        ]);
        assert.deepEqual(rows, [{ time: 5, day: '2026-11-01' }]);
      } finally {
        await pool.close();
      }
    });

    it('no statement is compiled, though reading a whole table counts as endless work', async () => {
      await sql.query('create table if not exists unindexed (n integer)');
      await sql.query('insert into unindexed select generate_series(1, 10)');
      const plan = await sql.query('explain (analyze, format json) select count(*) from unindexed where n > 3');
      assert.match(JSON.stringify(plan.rows), /Seq Scan/);
      assert.doesNotMatch(JSON.stringify(plan.rows), /JIT/);
    });

    describe('guards', { concurrent: true }, () => {
      it('a statement that waits for a lock gives up before a consumer would be thought dead', async () => {
        await sql.query('create table if not exists locked (n integer)');
        const held = Promise.withResolvers<void>();
        const done = Promise.withResolvers<void>();
        const holder = sql.transaction(async (tx) => {
          await tx.query('lock table locked');
          held.resolve();
          await done.promise;
        });
        await held.promise;
        const from = ownMs();
        await assert.rejects(sql.query('select * from locked'), CatalogUnavailable);
        assert.ok(ownMs() - from < 9_000);
        done.resolve();
        await holder;
      });

      it('a transaction that idles is ended, and what it held is free', async () => {
        await sql.query('create table if not exists idled (n integer)');
        const frozen = sql.transaction(async (tx) => {
          await tx.query('lock table idled');
          await new Promise((resolve) => setTimeout(resolve, 6_500));
          await tx.query('select 1');
        });
        await assert.rejects(
          frozen,
          (error) => error instanceof CatalogUnavailable && !(error instanceof UnknownCommit),
        );
        assert.deepEqual((await sql.query('select * from idled')).rows, []);
      });

      it('a transaction that failed is not committed by asking', async () => {
        await sql.query('create table if not exists half (n integer)');
        const swallowing = sql.transaction(async (tx) => {
          await tx.query('insert into half values (1)');
          await tx.query('select 1 / 0').catch(() => {});
        });
        await assert.rejects(swallowing, /rolled back/);
        const failing = sql.transaction(async (tx) => {
          await tx.query('insert into half values (2)');
          throw new Error('ours');
        });
        await assert.rejects(failing, /ours/);
        assert.deepEqual((await sql.query('select * from half')).rows, []);
      });

      it('transactions do not nest, and hold neither listeners nor the pool', async () => {
        await sql.transaction(async (tx) => {
          await assert.rejects(tx.transaction(async () => {}));
          await assert.rejects(
            tx.listen(
              'x',
              () => {},
              () => {},
            ),
          );
          await assert.rejects(tx.close());
        });
      });

      it('our own mistakes are no outage', async () => {
        await assert.rejects(sql.query('select nonsense'), (error) => !(error instanceof CatalogUnavailable));
      });

      it('a connection that dies under a statement costs that statement, no more', async (test) => {
        const pool = openPool({ ...database.config, maxConnections: 1, applicationName: 'mortal' });
        test.onTestFinished(() => pool.close());
        const dying = assert.rejects(pool.query('select pg_sleep(9)'), CatalogUnavailable);
        while (
          (
            await sql.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mortal' and wait_event = 'PgSleep'`,
            )
          ).rowCount === 0
        );
        await dying;
        assert.deepEqual((await pool.query('select 1 as v')).rows, [{ v: 1 }]);
      });

      it('a pool without a free connection says so in time', async (test) => {
        const pool = openPool({ ...database.config, maxConnections: 1 });
        test.onTestFinished(() => pool.close());
        const busy = pool.query('select pg_sleep(7)');
        await assert.rejects(pool.query('select 1'), CatalogUnavailable);
        await busy;
      });

      it('a closed pool is an outage for what still asks', async () => {
        const pool = openPool(database.config);
        await pool.query('select 1');
        await pool.close();
        await assert.rejects(pool.query('select 1'), CatalogUnavailable);
        await assert.rejects(
          pool.transaction(async () => {}),
          CatalogUnavailable,
        );
      });

      it('refuses to listen on a channel with an invalid name', async () => {
        await assert.rejects(
          sql.listen(
            'a"; drop table x',
            () => {},
            () => {},
          ),
          /no channel/,
        );
      });

      it('every listener of a channel hears each notice, until it stops', async () => {
        const received: string[] = [];
        const last = Promise.withResolvers<void>();
        const stopFirst = await sql.listen(
          'heard',
          (payload) => received.push(`1 ${payload}`),
          () => {},
        );
        const stopSecond = await sql.listen(
          'heard',
          (payload) => {
            received.push(`2 ${payload}`);
            if (payload === 'b') last.resolve();
          },
          () => {},
        );
        await sql.query(`select pg_notify('heard', 'a')`);
        while (received.length < 2) await new Promise((resolve) => setImmediate(resolve));
        await stopFirst();
        await sql.query(`select pg_notify('heard', 'b')`);
        await last.promise;
        await stopSecond();
        assert.deepEqual(received, ['1 a', '2 a', '2 b']);
      });
    });
  });
}
