// The ledger's contract in memory and on PostgreSQL; and what only a database can get wrong: its totals, its old months.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import type { Ledger } from '../../../core/ports/ledger.ts';
import type { Micros } from '../../../core/units.ts';
import { activeKeyCaps } from '../../../ops/service/new-keys.ts';
import { openKeysCatalog } from '../../../platform/postgres/keys-catalog.ts';
import { openLedger } from '../../../platform/postgres/ledger.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { timestampText } from '../../../platform/postgres/values.ts';
import { chargeOf, file, type LedgerUnderTest, ledgerContract, live } from '../../support/contracts/ledger-contract.ts';
import { MemoryLedger } from '../../support/fakes/memory-ledger.ts';
import { allTestServers, openDatabase, type TestDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

ledgerContract('in memory', async () => {
  const ledger = new MemoryLedger();
  return {
    ledger,
    async account(monthlyRows) {
      const id = randomUUID();
      ledger.quotas.set(id, monthlyRows);
      return id;
    },
    async setQuota(id, monthlyRows) {
      ledger.quotas.set(id, monthlyRows);
    },
    async setClock(at) {
      ledger.now = at;
    },
  };
});

/** The ledger with the rights of the API, and the administrator's operations on it. */
function underTest({ sql, api }: TestDatabase): LedgerUnderTest {
  const keys = openKeysCatalog(sql);
  return {
    ledger: openLedger(api),
    async account(monthlyRows) {
      const id = randomUUID();
      await keys.createAccount({ id, name: 'test', tier: 'PRO', entitled: true, monthlyRows });
      return id;
    },
    async setQuota(id, monthlyRows) {
      await keys.setAccount(id, { monthlyRows }, activeKeyCaps);
    },
    setClock: (at) => setClock(sql, at),
  };
}

/** Sets the database's clock, for the ledger only. */
async function setClock(sql: Sql, at: Micros): Promise<void> {
  const now = `select timestamptz ''${timestampText(at)}''`;
  await sql.query(`create or replace function usage_now() returns timestamptz language sql volatile as '${now}'`);
}

for (const server of await allTestServers()) {
  ledgerContract(`on ${server.name}`, async () => underTest(await openDatabase(server)), server.skip);

  describe(`the books on ${server.name}`, skipFor(server.skip), () => {
    let database: TestDatabase;
    let sql: Sql;
    let ledger: Ledger;
    let account: string;
    beforeAll(async () => {
      database = await openDatabase(server);
      ({ sql } = database);
      const under = underTest(database);
      ledger = under.ledger;
      account = await under.account(null);
      await setClock(sql, Date.UTC(2026, 7, 5) * 1000);
    });

    it('show every total that differs from the sum of its charges', async () => {
      const game = randomUUID();
      await ledger.charge([chargeOf(account, live(game, 1, 1, 10)), chargeOf(account, file(5))]);
      assert.deepEqual(await ledger.reconcile(), []);
      for (const [wrong, right, total, sum] of [
        ['update usage_months set used_rows = 16', 'update usage_months set used_rows = 15', 16, 15],
        ['update usage_marks set rows = 9', 'update usage_marks set rows = 10', 15, 14],
        ['update usage_games set read_rows = 12', 'update usage_games set read_rows = 10', 15, 17],
        ['update usage_charges set rows = 4', 'update usage_charges set rows = 5', 15, 14],
      ] as const) {
        await sql.query(wrong);
        assert.deepEqual(await ledger.reconcile(), [{ accountId: account, month: '2026-08', total, sum }], wrong);
        await sql.query(right);
      }
      assert.deepEqual(await ledger.reconcile(), []);
    });

    it('drop a month two months after its end, and nothing younger', async () => {
      const months = ['2026-09', '2026-10', '2026-11'];
      for (const month of months) {
        await setClock(sql, Date.parse(`${month}-15T00:00:00Z`) * 1000);
        await ledger.charge([chargeOf(account, live(randomUUID(), 1, 1, 10)), chargeOf(account, file(5))]);
      }
      assert.equal(await ledger.expire(), 4, 'a row of each table');
      assert.equal(await ledger.expire(), 0);
      assert.deepEqual((await ledger.items(account, '2026-08')).items, []);
      for (const month of months) assert.equal((await ledger.items(account, month)).usedRows, 15, month);
      for (const table of ['usage_months', 'usage_games', 'usage_marks', 'usage_charges']) {
        const { rows } = await sql.query(`select count(*) as n from ${table}`);
        assert.equal(rows[0]?.n, 3, table);
      }
      assert.deepEqual(await ledger.reconcile(), []);
    });

    it('drop a month in parts, and agree while a part of it is left', async () => {
      await setClock(sql, Date.UTC(2026, 11, 15) * 1000);
      for (let segment = 1; segment <= 9; segment += 1)
        await ledger.charge([chargeOf(account, live(randomUUID(), 1, segment, 10)), chargeOf(account, file(5))]);
      await setClock(sql, Date.UTC(2027, 2, 1) * 1000);
      // Four rows of each of three months, then of December 9 charges, 9 marks, 9 games and the account's row.
      const dropped: number[] = [];
      for (let more = 7; more > 0; dropped.push(more)) {
        const { rows } = await sql.query('select expire_usage(7) as dropped');
        more = rows[0]?.dropped as number;
        assert.deepEqual(await ledger.reconcile(), []);
      }
      assert.deepEqual(dropped, [7, 7, 7, 7, 7, 5, 0]);
    });

    it('are closed for a month at its turn, in the midst of reads', async () => {
      const reader = await underTest(database).account(null);
      const game = randomUUID();
      const turn = "timestamptz '2027-03-01 00:00:00+00' - interval '400 ms'";
      const running = `select ${turn} + (clock_timestamp() - timestamptz '${new Date().toISOString()}')`;
      await sql.query(
        `create or replace function usage_now() returns timestamptz language sql volatile as $$${running}$$`,
      );
      const byMonth = new Map<string, { debited: number; marks: Map<number, number> }>();
      let reads = 0;
      const readOn = async (): Promise<void> => {
        for (;;) {
          reads += 1;
          const read = live(game, 1, 1 + (reads % 5), 1 + (reads % 90));
          const [answer] = await ledger.charge([chargeOf(reader, read)]);
          assert.ok(answer?.kind === 'charged');
          const month = byMonth.get(answer.month) ?? { debited: 0, marks: new Map<number, number>() };
          byMonth.set(answer.month, month);
          month.debited += answer.debited;
          month.marks.set(read.seq, Math.max(read.rows, month.marks.get(read.seq) ?? 0));
          if (answer.month === '2027-03' && month.marks.size === 5) return;
        }
      };
      await Promise.all(Array.from({ length: 16 }, readOn));
      assert.deepEqual([...byMonth.keys()].sort(), ['2027-02', '2027-03']);
      for (const [month, { debited, marks }] of byMonth) {
        const { usedRows } = await ledger.items(reader, month);
        assert.equal(usedRows, debited, month);
        assert.equal(
          usedRows,
          [...marks.values()].reduce((sum, rows) => sum + rows, 0),
          month,
        );
      }
      assert.deepEqual(await ledger.reconcile(), []);
    });

    it('go by the clock of the database', async () => {
      await sql.query(
        "create or replace function usage_now() returns timestamptz language sql volatile as 'select clock_timestamp()'",
      );
      const { rows } = await sql.query("select to_char(now() at time zone 'UTC', 'YYYY-MM') as month");
      const usage = await ledger.usage(account);
      assert.equal(usage.month, rows[0]?.month);
      assert.ok(usage.endsIn > 0 && usage.endsIn <= 31 * 24 * 3_600_000_000);
    });
  });
}
