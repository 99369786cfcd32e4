// The rule of a charge against the naive ledger, which remembers every row by itself (docs/metering.md#live-segment-charge; I22, I23).
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { weighBoard } from '../../../core/metering/board-weight.ts';
import { graceOf } from '../../../core/metering/grace.ts';
import { lengthOfMonth, monthAfter, nextMonth, resetsOn } from '../../../core/metering/month.ts';
import type { ChargedRead, LedgerAnswer } from '../../../core/ports/ledger.ts';
import { debitOfLive } from '../../oracle/live-charge.ts';
import { MemoryLedger } from '../../support/fakes/memory-ledger.ts';
import { NaiveLedger } from '../../support/fakes/naive-ledger.ts';

const accountId = 'account';

/** Reads by any account, in any order, of two games whose logs were rebuilt twice: segments 1–3, then 4–6, then 7–9. */
const liveRead = fc
  .record({ game: fc.constantFrom('a', 'b'), log: fc.nat(2), at: fc.nat(2), rows: fc.integer({ min: 1, max: 12 }) })
  .map(
    ({ game, log, at, rows }): ChargedRead => ({
      kind: 'live',
      gameUuid: game,
      gameId: game,
      firstSeq: log * 3 + 1,
      seq: log * 3 + 1 + at,
      rows,
    }),
  );
const fileRead = fc.record({ kind: fc.constantFrom('file', 'board', 'msf'), rows: fc.integer({ min: 0, max: 9 }) }).map(
  ({ kind, rows }): ChargedRead => ({
    kind,
    gameUuid: 'a',
    gameId: 'a',
    dataset: 'market-results',
    subject: '',
    rows,
  }),
);
const reads = fc.array(fc.oneof({ arbitrary: liveRead, weight: 4 }, fileRead), { maxLength: 60 });
const quota = fc.option(fc.integer({ min: 0, max: 80 }), { nil: null });

const debitOf = (charged: LedgerAnswer | undefined) => (charged?.kind === 'charged' ? charged.debited : null);

async function chargeAll(ledger: MemoryLedger, all: readonly ChargedRead[]): Promise<(number | null)[]> {
  const debits: (number | null)[] = [];
  for (const [index, read] of all.entries()) {
    const [charged] = await ledger.charge([{ chargeId: `${index}`, accountId, keyId: 'k', read }]);
    debits.push(debitOf(charged));
  }
  return debits;
}

describe('what a read costs', () => {
  // A violation would need a row charged twice or never, or a read that exceeds the quota.
  it('is what the naive ledger counts, read for read, and never passes the quota', async () => {
    await fc.assert(
      fc.asyncProperty(reads, quota, async (all, monthlyRows) => {
        const ledger = new MemoryLedger();
        ledger.quotas.set(accountId, monthlyRows);
        const naive = new NaiveLedger(monthlyRows);
        const expected = all.map((read) => naive.read(read));
        assert.deepEqual(await chargeAll(ledger, all), expected);
        const { usedRows, items } = await ledger.items(accountId, null);
        assert.equal(usedRows, naive.used());
        assert.equal(
          items.reduce((sum, { rows }) => sum + rows, 0),
          usedRows,
        );
        assert.ok(monthlyRows === null || usedRows <= monthlyRows);
      }),
      { numRuns: 500 },
    );
  });

  // Without a quota the sum depends only on the set of reads, not on their order.
  it('comes to the same sum in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(liveRead, { maxLength: 30 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        async ([one, other]) => {
          const sums = [one, other].map(async (all) => {
            const ledger = new MemoryLedger();
            await chargeAll(ledger, all);
            return (await ledger.usage(accountId)).usedRows;
          });
          const [first, second] = await Promise.all(sums);
          assert.equal(first, second);
        },
      ),
    );
  });

  it('of a rebuilt log is what exceeds what was paid for the game', () => {
    assert.deepEqual(debitOfLive({ log: 0, paid: 100 }, 0, 60), { debit: 0, log: 60 });
    assert.deepEqual(debitOfLive({ log: 60, paid: 100 }, 60, 120), { debit: 20, log: 120 });
    assert.deepEqual(debitOfLive({ log: 120, paid: 120 }, 120, 110), { debit: 0, log: 120 });
  });
});

describe('the weight of a board', () => {
  it('is the decimal that was written, rounded down', () => {
    assert.equal(weighBoard(100, 290_000), 29, 'not 28, as in binary fractions');
    assert.equal(weighBoard(99, 290_000), 28);
    assert.equal(weighBoard(999_999, 1), 0);
    assert.equal(weighBoard(1_000_000, 1), 1);
    assert.equal(weighBoard(7, 0), 0);
    assert.equal(weighBoard(7, 3_000_000), 21);
    assert.equal(weighBoard(0, 3_000_000), 0);
  });
});

describe('grace', () => {
  it('is a twentieth of the quota, and never more than 50,000 rows', () => {
    assert.deepEqual(
      [null, 0, 19, 20, 999_999, 1_000_000, 5_000_000].map(graceOf),
      [50_000, 0, 0, 1, 49_999, 50_000, 50_000],
    );
  });
});

describe('months', () => {
  it('follow each other and reset on the first', () => {
    assert.deepEqual(['2026-01', '2026-12', '1999-12'].map(nextMonth), ['2026-02', '2027-01', '2000-01']);
    assert.equal(resetsOn('2026-12'), '2027-01-01');
  });

  it('are as long as the calendar has them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2200 }), fc.integer({ min: 1, max: 12 }), (year, number) => {
        const month = `${year}-${String(number).padStart(2, '0')}`;
        assert.equal(lengthOfMonth(month), (Date.UTC(year, number) - Date.UTC(year, number - 1)) * 1000);
      }),
    );
  });

  it('turn when what was left of them has passed', () => {
    assert.deepEqual(monthAfter('2026-01', 10, 9), { month: '2026-01', endsIn: 1 });
    assert.deepEqual(monthAfter('2026-01', 10, 10), { month: '2026-02', endsIn: lengthOfMonth('2026-02') });
    const [month, left] = ['2026-12', 5];
    const later = left + lengthOfMonth('2027-01') + lengthOfMonth('2027-02') + 7;
    assert.deepEqual(monthAfter(month, left, later), { month: '2027-03', endsIn: lengthOfMonth('2027-03') - 7 });
  });
});
