// What every Ledger promises (core/ports/ledger.ts), written once and run against each. A naive ledger computes what is
// owed.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import type { Charge, ChargedRead, Ledger, LedgerAnswer } from '../../../core/ports/ledger.ts';
import type { Micros } from '../../../core/units.ts';
import { NaiveLedger } from '../fakes/naive-ledger.ts';
import { skipFor } from '../vitest/skip-for.ts';

export type LedgerUnderTest = {
  ledger: Ledger;
  /** Creates an account and answers its id. */
  account(monthlyRows: number | null): Promise<string>;
  setQuota(accountId: string, monthlyRows: number | null): Promise<void>;
  /** Sets the ledger's own clock to `at`. */
  setClock(at: Micros): Promise<void>;
};

const august = Date.UTC(2026, 7, 5, 20) * 1000;

export const chargeOf = (accountId: string, read: ChargedRead, more: Partial<Charge> = {}): Charge => ({
  chargeId: randomUUID(),
  accountId,
  keyId: 'key',
  read,
  ...more,
});

export const live = (
  gameUuid: string,
  firstSeq: number,
  seq: number,
  rows: number,
): ChargedRead & { kind: 'live' } => ({
  kind: 'live',
  gameUuid,
  gameId: 'MLB_STL_NYY_20260805',
  firstSeq,
  seq,
  rows,
});

export const file = (rows: number, more: Partial<ChargedRead & { kind: 'file' }> = {}): ChargedRead => ({
  kind: 'file',
  gameUuid: null,
  gameId: 'MLB_STL_NYY_20260805',
  dataset: 'market-results',
  subject: 'market-results',
  rows,
  ...more,
});

export const debitOf = (charged: LedgerAnswer | undefined): number | null =>
  charged?.kind === 'charged' ? charged.debited : null;

export function ledgerContract(name: string, open: () => Promise<LedgerUnderTest>, skip: string | false = false): void {
  describe(`ledger: ${name}`, skipFor(skip), () => {
    let under: LedgerUnderTest;
    let ledger: Ledger;
    beforeAll(async () => {
      under = await open();
      ledger = under.ledger;
      await under.setClock(august);
    });

    const charge = async (accountId: string, read: ChargedRead, more: Partial<Charge> = {}) =>
      (await ledger.charge([chargeOf(accountId, read, more)]))[0] as LedgerAnswer;
    const debit = async (...args: Parameters<typeof charge>) => debitOf(await charge(...args));
    const used = async (accountId: string) => (await ledger.usage(accountId)).usedRows;

    async function addsUp(accountId: string, month: string | null = null): Promise<number> {
      const { usedRows, items } = await ledger.items(accountId, month);
      assert.equal(
        items.reduce((sum, { rows }) => sum + rows, 0),
        usedRows,
      );
      assert.deepEqual(
        (await ledger.reconcile()).filter((each) => each.accountId === accountId),
        [],
      );
      return usedRows;
    }

    it('gives back what a file was debited, once, and lets it cost nothing when it arrives later', async () => {
      const account = await under.account(1_000);
      const [paid, late, kept] = [600, 300, 400].map((rows) => chargeOf(account, file(rows))) as [
        Charge,
        Charge,
        Charge,
      ];
      await ledger.charge([paid, kept]);
      await ledger.refund([late, paid]);
      await ledger.refund([paid, late]);
      assert.equal(await addsUp(account), 400);
      const answers = await ledger.charge([late, paid, chargeOf(account, file(600))]);
      assert.deepEqual(answers.map(debitOf), [0, 0, 600]);
      assert.equal(await addsUp(account), 1_000);
      assert.deepEqual(
        (await ledger.items(account, null)).items.map(({ reads }) => reads),
        [2],
      );
      const segment = chargeOf(account, live(randomUUID(), 1, 1, 0));
      await ledger.refund([segment]);
    });

    it('gives back in the month that was charged', async () => {
      const account = await under.account(null);
      const charge = chargeOf(account, file(5));
      await ledger.charge([charge]);
      await under.setClock(Date.UTC(2026, 8, 1) * 1000);
      await ledger.refund([charge]);
      assert.equal(await addsUp(account, '2026-08'), 0);
      await under.setClock(august);
    });

    it('charges each row of a segment once, and of a grown tail what it gained', async () => {
      const [account, game] = [await under.account(null), randomUUID()];
      assert.equal(await debit(account, live(game, 1, 1, 10)), 10);
      assert.equal(await debit(account, live(game, 1, 1, 10)), 0);
      assert.equal(await debit(account, live(game, 1, 1, 4)), 0, 'an older version');
      assert.equal(await debit(account, live(game, 1, 1, 13)), 3);
      assert.equal(await debit(account, live(game, 1, 2, 5)), 5);
      assert.equal(await debit(account, live(randomUUID(), 1, 1, 13)), 13, 'of another game');
      assert.equal(await debit(await under.account(null), live(game, 1, 1, 13)), 13, 'to another account');
      assert.equal(await addsUp(account), 31);
    });

    it('charges a file each time, and a repeated call once', async () => {
      const account = await under.account(null);
      const chargeId = randomUUID();
      assert.equal(await debit(account, file(7), { chargeId }), 7);
      assert.equal(await debit(account, file(7), { chargeId }), 0);
      assert.equal(await debit(account, file(7)), 7);
      assert.equal(await debit(account, file(0)), 0);
      assert.equal(await addsUp(account), 14);
    });

    it('charges a rebuilt log only beyond what was paid for the game', async () => {
      const [account, game] = [await under.account(null), randomUUID()];
      assert.equal(await debit(account, live(game, 1, 1, 100)), 100);
      assert.equal(await debit(account, live(game, 2, 2, 60)), 0);
      assert.equal(await debit(account, live(game, 2, 3, 40)), 0);
      assert.equal(await debit(account, live(game, 2, 3, 45)), 5);
      assert.equal(await debit(account, live(game, 1, 1, 103)), 0, 'an instance that still serves the old log');
      assert.equal(await debit(account, live(game, 1, 1, 106)), 1);
      assert.equal(await addsUp(account), 106);
    });

    it('is hard: a read that would pass the quota is refused whole, the first one too', async () => {
      const [account, game] = [await under.account(10), randomUUID()];
      const refused = await charge(account, live(game, 1, 1, 11));
      assert.deepEqual(
        [refused.kind, refused.usedRows, refused.monthlyRows, refused.resets],
        ['exhausted', 0, 10, '2026-09-01'],
      );
      assert.deepEqual((await ledger.items(account, null)).items, []);
      assert.equal(await debit(account, file(11)), null);
      assert.equal(await debit(account, live(game, 1, 1, 10)), 10, 'exactly the quota');
      assert.equal(await debit(account, live(game, 1, 1, 11)), null);
      assert.equal(await debit(account, live(game, 1, 1, 10)), 0, 'what was paid stays readable');
      assert.equal(await debit(account, file(0)), 0);
      assert.equal(await debit(account, file(1)), null);
      await under.setQuota(account, 5);
      assert.equal(await debit(account, file(1)), null);
      await under.setQuota(account, null);
      const unlimited = await charge(account, file(1));
      assert.deepEqual([debitOf(unlimited), unlimited.usedRows, unlimited.monthlyRows], [1, 11, null]);
      const none = await under.account(0);
      assert.equal(await debit(none, file(1)), null);
      assert.equal(await addsUp(account), 11);
    });

    it('answers a batch in its order, each charge on what those before it left', async () => {
      const [one, other, game] = [await under.account(10), await under.account(null), randomUUID()];
      const batch = [
        chargeOf(one, live(game, 1, 1, 6)),
        chargeOf(other, live(game, 1, 1, 6)),
        chargeOf(one, live(game, 1, 1, 6)),
        chargeOf(one, file(5)),
        chargeOf(other, file(5)),
        chargeOf(one, live(game, 1, 1, 10)),
      ];
      const answers = await ledger.charge(batch);
      assert.deepEqual(answers.map(debitOf), [6, 6, 0, null, 5, 4]);
      assert.deepEqual(
        answers.map(({ usedRows }) => usedRows),
        [6, 6, 6, 6, 11, 10],
      );
      assert.deepEqual(await ledger.charge([]), []);
      assert.deepEqual([await addsUp(one), await addsUp(other)], [10, 11]);
    });

    it('itemises what was billed', async () => {
      const [account, game] = [await under.account(null), randomUUID()];
      await charge(account, live(game, 1, 1, 100));
      await charge(account, live(game, 1, 1, 100));
      await charge(account, live(game, 2, 2, 110));
      await charge(account, file(3));
      await charge(account, file(4));
      await charge(account, {
        ...file(9),
        kind: 'board',
        dataset: 'sportsbook-lines',
        subject: 'DRAFTKINGS',
      } as ChargedRead);
      assert.deepEqual(await ledger.items(account, '2026-08'), {
        month: '2026-08',
        usedRows: 126,
        items: [
          { kind: 'board', gameId: 'MLB_STL_NYY_20260805', dataset: 'sportsbook-lines', reads: 1, rows: 9 },
          { kind: 'file', gameId: 'MLB_STL_NYY_20260805', dataset: 'market-results', reads: 2, rows: 7 },
          { kind: 'live', gameId: 'MLB_STL_NYY_20260805', dataset: 'sportsbook-lines', reads: 2, rows: 110 },
        ],
      });
      assert.deepEqual(await ledger.items(account, '2026-07'), { month: '2026-07', usedRows: 0, items: [] });
      const unknown = randomUUID();
      assert.deepEqual(await ledger.items(unknown, null), { month: '2026-08', usedRows: 0, items: [] });
      assert.deepEqual([(await ledger.usage(unknown)).usedRows, (await ledger.usage(unknown)).monthlyRows], [0, null]);
    });

    it('debits what was served already whatever the quota, once', async () => {
      const [account, game] = [await under.account(10), randomUUID()];
      const chargeId = randomUUID();
      const served = { month: '2026-08' };
      for (let time = 0; time < 2; time += 1) {
        await charge(account, live(game, 1, 1, 8), { served });
        await charge(account, file(7), { served, chargeId });
      }
      assert.equal(await addsUp(account), 15);
      assert.equal(await debit(account, file(1)), null, 'and then the quota is exhausted');
      assert.equal(await debit(account, live(game, 1, 1, 8)), 0);
    });

    it('begins each month anew, by its own clock in UTC', async () => {
      const [account, game] = [await under.account(10), randomUUID()];
      const turn = Date.UTC(2026, 8, 1) * 1000;
      await under.setClock(turn - 1);
      const last = await charge(account, live(game, 1, 1, 10));
      assert.deepEqual([debitOf(last), last.month, last.resets, last.endsIn], [10, '2026-08', '2026-09-01', 1]);
      assert.equal(await debit(account, live(game, 1, 1, 11)), null);
      await under.setClock(turn);
      const first = await charge(account, live(game, 1, 1, 10));
      assert.deepEqual([debitOf(first), first.month, first.resets], [10, '2026-09', '2026-10-01']);
      assert.equal(first.endsIn, 30 * 24 * 3_600_000_000);
      assert.equal(await debit(account, file(1)), null);
      assert.deepEqual([await addsUp(account, '2026-08'), await addsUp(account, '2026-09')], [10, 10]);
      const usage = await ledger.usage(account);
      assert.deepEqual(usage, {
        month: '2026-09',
        resets: '2026-10-01',
        endsIn: 30 * 24 * 3_600_000_000,
        usedRows: 10,
        monthlyRows: 10,
      });
      await under.setClock(Date.UTC(2026, 11, 31, 23) * 1000);
      assert.equal((await charge(account, file(1))).resets, '2027-01-01');
      await under.setClock(august);
    });

    it('debits what was served in an earlier month to that month, while it is kept', async () => {
      const account = await under.account(null);
      await under.setClock(Date.UTC(2026, 9, 3) * 1000);
      await charge(account, file(1), { served: { month: '2026-09' } });
      await charge(account, file(2), { served: { month: '2026-07' } });
      await charge(account, file(4), { served: { month: null } });
      await charge(account, file(8), { served: { month: '2026-11' } });
      const months = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
      const sums = await Promise.all(months.map(async (month) => (await ledger.items(account, month)).usedRows));
      assert.deepEqual(sums, [0, 2, 1, 12, 0]);
      await under.setClock(august);
    });

    it('is exact when hundreds read on one account at the same time', async () => {
      const games = [randomUUID(), randomUUID()];
      const account = await under.account(null);
      const reads = Array.from({ length: 400 }, (_, index) =>
        index % 8 === 0 ? file(3) : live(games[index % 2] as string, 1, 1 + (index % 3), 1 + ((index * 7_919) % 200)),
      );
      const naive = new NaiveLedger(null);
      for (const read of reads) naive.read(read);
      const answers = await Promise.all(reads.map((read) => charge(account, read)));
      assert.equal(await addsUp(account), naive.used());
      assert.equal(
        answers.reduce((sum, answer) => sum + (debitOf(answer) as number), 0),
        naive.used(),
      );
    });

    it('never passes the quota at its edge, whoever races', async () => {
      for (const quota of [1, 7, 50]) {
        const account = await under.account(quota);
        const game = randomUUID();
        const reads = Array.from({ length: 120 }, (_, index) =>
          index % 2 === 0 ? file(1 + (index % 3)) : live(game, 1, index, 1 + (index % 2)),
        );
        const answers = await Promise.all(reads.map((read) => charge(account, read)));
        const sum = answers.reduce((total, answer) => total + (debitOf(answer) ?? 0), 0);
        assert.equal(await addsUp(account), sum);
        assert.ok(sum <= quota, `${sum} of ${quota}`);
        assert.ok(sum > quota - 3, `${sum} of ${quota}: reads that fit are served`);
      }
    });

    it('takes batches of many accounts at the same time, in any order, without a deadlock', async () => {
      const accounts = await Promise.all(Array.from({ length: 6 }, () => under.account(null)));
      const game = randomUUID();
      const batches = Array.from({ length: 60 }, (_, batch) =>
        Array.from({ length: 12 }, (__, index) =>
          chargeOf(
            accounts[(index * (batch + 1)) % 6] as string,
            live(game, 1, index % 4, 1 + ((batch * 13 + index) % 40)),
          ),
        ),
      );
      const naive = new Map(accounts.map((account) => [account, new NaiveLedger(null)]));
      for (const { accountId, read } of batches.flat()) naive.get(accountId)?.read(read);
      const answers = await Promise.all(batches.map((batch) => ledger.charge(batch)));
      assert.equal(answers.flat().length, 720);
      for (const account of accounts) assert.equal(await addsUp(account), naive.get(account)?.used());
    });

    it('agrees with the naive ledger on any reads, in any batches', async () => {
      const step = fc.record({
        game: fc.nat(1),
        log: fc.nat(1),
        at: fc.nat(2),
        rows: fc.integer({ min: 1, max: 12 }),
        file: fc.nat(5),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 10 }),
          fc.option(fc.integer({ min: 0, max: 80 }), { nil: null }),
          async (batches, quota) => {
            const account = await under.account(quota);
            const games = [randomUUID(), randomUUID()];
            const naive = new NaiveLedger(quota);
            for (const batch of batches) {
              const reads = batch.map((each) =>
                each.file === 0
                  ? file(each.rows)
                  : live(games[each.game] as string, each.log * 3 + 1, each.log * 3 + 1 + each.at, each.rows),
              );
              const answers = await ledger.charge(reads.map((read) => chargeOf(account, read)));
              assert.deepEqual(
                answers.map(debitOf),
                reads.map((read) => naive.read(read)),
              );
            }
            assert.equal(await used(account), naive.used());
            await addsUp(account);
          },
        ),
        { numRuns: 40 },
      );
    });
  });
}
