// Only the reconciliation of the ledger needs whole tables: it scans them, instead of reading row by row in the order of a key.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { openLedger } from '../../../platform/postgres/ledger.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const count = 20_000;

for (const server of await allTestServers()) {
  describe(`the books on ${server.name}`, skipFor(server.skip), () => {
    it('are read from end to end', async () => {
      const { sql } = await openDatabase(server, { maxConnections: 1 });
      await sql.query(
        `insert into usage_marks (account_id, month, game_uuid, seq, first_seq, rows)
         select gen_random_uuid(), '2026-11-01', gen_random_uuid(), 1, 1, 5 from generate_series(1, $1::integer)`,
        [count],
      );
      await sql.query('analyze usage_marks');
      const rowsRead = async (): Promise<number> => {
        await sql.query('select pg_stat_force_next_flush()');
        const { rows } = await sql.query(
          `select seq_tup_read as read from pg_stat_user_tables where relname = 'usage_marks'`,
        );
        return rows[0]?.read as number;
      };
      const before = await rowsRead();
      assert.equal((await openLedger(sql).reconcile()).length, count);
      assert.equal((await rowsRead()) - before, count);
      const { rows } = await sql.query(`select current_setting('enable_seqscan') as whole`);
      assert.deepEqual(rows, [{ whole: 'off' }], 'the setting applies to this statement only');
    });

    it('are compared also where that takes longer than any other statement may, and not without end', async () => {
      const { sql } = await openDatabase(server, { maxConnections: 1 });
      await sql.query(`with account as (insert into accounts (id, name, tier) values (gen_random_uuid(), 'a', 'PRO') returning id)
        insert into usage_months (account_id, month, used_rows) select id, date_trunc('month', now())::date, 5 from account`);
      // Reading the clock takes as long as reading millions of rows.
      await sql.query(`create or replace function usage_now() returns timestamptz language plpgsql as $$ begin
        if current_setting('statement_timeout') = '0' then raise 'the statement has no limit'; end if;
        perform pg_sleep(13);
        return clock_timestamp();
      end $$`);
      assert.deepEqual(
        (await openLedger(sql).reconcile()).map(({ total, sum }) => [total, sum]),
        [[5, 0]],
      );
    });
  });
}
