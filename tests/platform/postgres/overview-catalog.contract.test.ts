// The queries of the console: within the rights of a program, bounded, and without anything that is over.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import type { OverviewCatalog } from '../../../core/ports/catalog/overview.ts';
import { openOverviewCatalog } from '../../../platform/postgres/overview-catalog.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const now = Date.now() * 1_000;
const second = 1_000_000;
const hour = 3_600 * second;

for (const server of await allTestServers()) {
  describe(`what the console reads on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let overview: OverviewCatalog;
    beforeAll(async () => {
      const { sql: owner, config } = await openDatabase(server);
      const pool = openPool({ ...config, role: 'sds_writer', maxConnections: 1, readOnly: true });
      sql = owner;
      overview = openOverviewCatalog(pool);
      return () => pool.close();
    });

    it('changes nothing, whatever it is asked, and waits no longer than it may', async () => {
      const { config } = await openDatabase(server);
      const pool = openPool({ ...config, maxConnections: 1, readOnly: true, statementTimeoutMs: 50 });
      await assert.rejects(pool.query(`insert into sources (source) values ('x')`), /read-only transaction/);
      await assert.rejects(pool.query('select pg_sleep(60)'), /statement timeout|does not answer|cancel/i);
      assert.equal((await pool.query('show statement_timeout')).rows[0]?.statement_timeout, '50ms');
      await pool.close();
    });

    it('is the open logs, games in play first, each sportsbook with its facts', async () => {
      const fact = { last_row_at: now, observed_through: now, source: 'feed', operators: ['A', 'B'] };
      const game = async (publicId: string, startsIn: string, status: string, isOpen = true) => {
        const id = randomUUID();
        await sql.query(
          `insert into games (id, league, public_id, home_name, away_name, founder_source, first_start, scheduled_start, status)
           values ($1, 'MLB', $2, 'h', 'a', 'feed', now(), now() + $3::interval, $4)`,
          [id, publicId, startsIn, status],
        );
        await sql.query(
          `insert into live_logs (game_uuid, generation, version, partition, first_seq, rows, updated_at, owner_epoch, operators,
             open_offer, receive_timed) values ($1, 1, 1, 0, 1, 1, now(), 1, $2, $3, true)`,
          [id, JSON.stringify([fact]), isOpen],
        );
      };
      await game('later', '5 days', 'SCHEDULED');
      await game('soon', '1 hour', 'SCHEDULED');
      await game('in play', '-3 hours', 'STARTED');
      await game('over', '-1 minute', 'COMPLETED', false);
      const logs = await overview.openLogs(10);
      assert.deepEqual(
        logs.map(({ gameId }) => gameId),
        ['in play', 'soon', 'later'],
      );
      const { operators, ...facts } = fact;
      assert.deepEqual(logs[0]?.operators, { A: facts, B: facts });
      assert.ok(Math.abs((logs[1]?.start ?? 0) - now - hour) < 60 * second);
      assert.equal((await overview.openLogs(1)).length, 1);
    });

    it('is the open dead letters among the newest, and how many came lately', async () => {
      const letter = (source: string | null, code: string, state: string, age: string) =>
        sql.query(
          `insert into dead_letters (at, topic, code, detail, source, payload, payload_sha256, state)
           values (now() - $4::interval, 't', $2, 'd', $1, '', '', $3)`,
          [source, code, state, age],
        );
      await letter('old', 'bad-price', 'open', '3 days');
      await letter('feed', 'bad-price', 'open', '2 hours');
      await letter('feed', 'bad-price', 'open', '1 second');
      await letter('feed', 'bad-price', 'discarded', '1 second');
      await letter(null, 'bad-record', 'open', '1 minute');
      const found = (await overview.openDeadLetters(4, now - hour, 10)).map(({ newest, ...facts }) => facts);
      assert.deepEqual(found, [
        { source: 'feed', code: 'bad-price', letters: 2, lately: 1 },
        { source: null, code: 'bad-record', letters: 1, lately: 1 },
      ]);
      assert.equal((await overview.openDeadLetters(100, now - hour, 10)).length, 3);
      assert.equal((await overview.openDeadLetters(100, now - hour, 1)).length, 1);
    });

    it('is the streams whose epoch was replaced lately, with the present one', async () => {
      const stream = async (scope: string, replacedAgo: readonly string[]) => {
        const uuid = randomUUID();
        await sql.query(
          `insert into msf_streams (scope_uuid, dataset, scope_id, league, partition, version, epoch, listed_from, deleted_below,
             freshness, owner_epoch, updated_at) values ($1, 'lineup', $2, 'MLB', 0, 1, 'present', 1, 1, '{}', 1, now())`,
          [uuid, scope],
        );
        for (const ago of replacedAgo)
          await sql.query(
            `insert into msf_epochs (scope_uuid, dataset, epoch, replaced_at) values ($1, 'lineup', $2, now() - $3::interval)`,
            [uuid, randomUUID(), ago],
          );
      };
      await stream('twice', ['2 hours', '10 minutes']);
      await stream('lately', ['1 minute']);
      await stream('long ago', ['9 days']);
      await stream('never', []);
      const found = await overview.replacedEpochs(now - 24 * hour, 10);
      assert.deepEqual(
        found.map(({ scope, dataset, epoch }) => [scope, dataset, epoch]),
        [
          ['lately', 'lineup', 'present'],
          ['twice', 'lineup', 'present'],
        ],
      );
      assert.ok(Math.abs(now - 600 * second - (found[1]?.replacedAt ?? 0)) < 60 * second);
    });

    it('finds replaced epochs among many without reading those that were replaced before, or never', async () => {
      const { sql: own } = await openDatabase(server);
      await own.query(`insert into msf_epochs (scope_uuid, dataset, epoch, replaced_at, forgotten)
        select gen_random_uuid(), 'lineup', n::text, case when n % 2 = 0 then now() - interval '2 days' end, n % 2 = 0
        from generate_series(1, 20000) n`);
      await own.query('analyze msf_epochs');
      const rowsRead = async (): Promise<number> => {
        await own.query('select pg_stat_force_next_flush()');
        const { rows } = await own.query(
          `select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'msf_epochs'`,
        );
        return Number(rows[0]?.read);
      };
      const before = await rowsRead();
      assert.deepEqual(await openOverviewCatalog(own).replacedEpochs(now - 24 * hour, 10), []);
      assert.ok((await rowsRead()) - before < 100, `${(await rowsRead()) - before} rows read`);
    });

    it('is the keys and accounts that near their quota, the largest share first', async () => {
      const key = async (id: string, state: string, uses: readonly (readonly [string, number, string])[]) => {
        await sql.query(
          `insert into feed_keys (id, mac, pepper_version, last4, sources, scopes, state) values ($1, $2, 1, 'abcd', '{feed}', '{push}', $3)`,
          [id, Buffer.from(id), state],
        );
        for (const [name, amount, ago] of uses)
          await sql.query(
            `insert into feed_key_days (feed_key_id, day, kind, name, amount)
             values ($1, (now() at time zone 'utc')::date - $4::integer, 'used', $2, $3)`,
            [id, name, amount, ago],
          );
      };
      await key('near', 'active', [
        ['bytes', 80, '0'],
        ['letters', 10, '0'],
        ['games', 7, '0'],
        ['requests', 99_999, '0'],
      ]);
      await key('yesterday', 'active', [['bytes', 100, '1']]);
      await key('revoked', 'revoked', [['bytes', 100, '0']]);
      assert.deepEqual(await overview.feedKeysNear({ bytes: 100, letters: 10, games: 10 }, 0.8, 10), [
        { id: 'near', sources: ['feed'], quota: 'letters', used: 10 },
        { id: 'near', sources: ['feed'], quota: 'bytes', used: 80 },
      ]);

      const account = async (name: string, most: number | null, used: number, monthsAgo = 0) => {
        const id = randomUUID();
        await sql.query(`insert into accounts (id, name, tier, monthly_rows) values ($1, $2, 'PRO', $3)`, [
          id,
          name,
          most,
        ]);
        await sql.query(
          `insert into usage_months values ($1, (date_trunc('month', now() at time zone 'utc') - make_interval(months => $3))::date, $2)`,
          [id, used, monthsAgo],
        );
      };
      await account('near', 1_000, 801);
      await account('all used', 10, 10);
      await account('far', 1_000, 799);
      await account('without a quota', null, 1_000_000);
      await account('of last month', 10, 10, 1);
      assert.deepEqual(
        (await overview.accountsNear(0.8, 10)).map(({ name, used, most }) => [name, used, most]),
        [
          ['all used', 10, 10],
          ['near', 801, 1_000],
        ],
      );
    });

    it('is the closed games that wait for their final files, and since when', async () => {
      assert.deepEqual(await overview.unsettled(), { games: 0, since: null, again: 0 });
      const closed = (ago: string, built: string | null) =>
        sql.query(
          `insert into settlements (game_uuid, partition, ticked, closed, closed_at, built_orders)
           values ($1, 0, false, '{}', now() - $2::interval, $3)`,
          [randomUUID(), ago, built],
        );
      await closed('3 minutes', null);
      await closed('1 minute', null);
      await closed('1 hour', `again/0 removed/${emptyListMd5}`);
      await closed('200 days', `again/1 removed/${emptyListMd5}`);
      const { games, since, again } = await overview.unsettled();
      assert.deepEqual([games, again], [2, 1]);
      assert.ok(Math.abs(now - 180 * second - (since ?? 0)) < 60 * second);
    });
  });
}

/** The database's digest of an empty list of removed rows. */
const emptyListMd5 = 'd751713988987e9331980363e24189ce';
