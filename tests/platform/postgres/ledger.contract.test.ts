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
  });
}
