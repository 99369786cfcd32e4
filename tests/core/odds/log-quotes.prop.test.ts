// Claim: what was quoted at an instant is, of each selection, its row with the highest number among those at or before the instant, unless
// that one is a withdrawal; and it is the same when whole stretches of the log are folded beforehand. Times go back and forth, as they do
// where sources interleave.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { LogQuotes } from '../../../core/odds/log-quotes.ts';
import { type Quote, quoteOf } from '../../../core/odds/quote.ts';

const row = fc.record({
  operator: fc.constantFrom('A', 'B'),
  selection: fc.constantFrom('home', 'away'),
  change: fc.constantFrom('opened', 'price', 'suspended', 'withdrawn'),
  timestamp: fc.integer({ min: 0, max: 20 }),
});
const log = fc.array(row, { maxLength: 40 }).map((rows) => rows.map((each, at) => quoteAt(each, at + 1)));

type QuoteFacts = { operator: string; selection: string; change: string; timestamp: number };

function quoteAt({ operator, selection, change, timestamp }: QuoteFacts, number: number): Quote {
  return quoteOf({
    ...{ operator, selection, timestamp, market: 'moneyline', period: 'full', row_number: number },
    ...{ game_id: 'g', league: 'MLB', selection_id: `moneyline/full/${selection}`, player_id: null, line: null },
    ...{ price_american: number + 100, price_decimal: 20_000, price_source_format: 'american', in_play: false },
    ...{ is_open: true, source_timestamp: null, source: 's', change: change as 'opened' },
  });
}

it('is the newest row by then of each selection, however the log is cut', () => {
  fc.assert(
    fc.property(log, fc.integer({ min: -1, max: 21 }), fc.nat({ max: 40 }), (rows, at, cut) => {
      const expected = new Map<string, Quote>();
      for (const each of rows) if (each.changedAt <= at) expected.set(`${each.operator} ${each.selectionId}`, each);
      const wanted = [...expected.values()].filter(({ isWithdrawn }) => !isWithdrawn);

      const whole = new LogQuotes();
      whole.addUntil(rows, at);
      assert.deepEqual(new Set(whole.quoted()), new Set(wanted));

      // A stretch that ended by then may be folded once and kept for later.
      const first = rows.slice(0, cut);
      if (first.some(({ changedAt }) => changedAt > at)) return;
      const folded = new LogQuotes();
      folded.addUntil(first, null);
      const pieces = new LogQuotes();
      pieces.addUntil(folded.newest(), at);
      pieces.addUntil(rows.slice(cut), at);
      assert.deepEqual(new Set(pieces.quoted()), new Set(wanted));
    }),
    { numRuns: 2_000 },
  );
});
