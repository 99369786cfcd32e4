// History windows: docs/interface.md#history-windows. Days are counted on the calendar, whatever the month; what is outside is refused.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { historyWindow, isWithin } from '../../../core/access/history-window.ts';
import { tiers } from '../../../core/ports/catalog/keys.ts';

const day = 86_400_000;
const dates = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * day).toISOString().slice(0, 10));
const daysApart = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / day;

describe('a history window', () => {
  it('of a tier of N days holds today, the N days before it, and all that is to come', () => {
    fc.assert(
      fc.property(dates, dates, fc.constantFrom(['BETA', 30] as const, ['STARTER', 90] as const), (today, date, of) => {
        const [tier, days] = of;
        const window = historyWindow(tier, { today, demoMonth: '2026-01' });
        assert.equal(isWithin(window, date), daysApart(date, today) <= days);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of DEMO holds its month, whatever today is, and nothing without one', () => {
    fc.assert(
      fc.property(dates, dates, dates, (today, date, inMonth) => {
        const demoMonth = inMonth.slice(0, 7);
        assert.equal(isWithin(historyWindow('DEMO', { today, demoMonth }), date), date.slice(0, 7) === demoMonth);
        assert.equal(isWithin(historyWindow('DEMO', { today, demoMonth: null }), date), false);
      }),
    );
  });

  it('of PRO holds everything', () => {
    fc.assert(
      fc.property(dates, dates, (today, date) => isWithin(historyWindow('PRO', { today, demoMonth: null }), date)),
    );
  });

  it('only ever loses older games: a game that a tier of days may read today was readable on every day before', () => {
    fc.assert(
      fc.property(dates, dates, dates, fc.constantFrom(...tiers), (a, b, date, tier) => {
        const [earlier, later] = a < b ? [a, b] : [b, a];
        const facts = { demoMonth: '2026-01' };
        if (isWithin(historyWindow(tier, { today: later, ...facts }), date)) {
          assert.ok(isWithin(historyWindow(tier, { today: earlier, ...facts }), date));
        }
      }),
    );
  });

  for (const [tier, first, last] of [
    ['BETA', '2026-02-04', '2026-02-03'],
    ['STARTER', '2025-12-06', '2025-12-05'],
  ] as const) {
    it(`of ${tier} on 2026-03-06 begins with ${first}`, () => {
      const window = historyWindow(tier, { today: '2026-03-06', demoMonth: null });
      assert.deepEqual([isWithin(window, first), isWithin(window, last)], [true, false]);
    });
  }
});
