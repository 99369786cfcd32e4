// Claims: within no stretch of time does a key get more than the capacity of its bucket plus its rate; a key that waits as long as the
// answer says gets what it asked for; pushes of one key change no answer to another. A violation would need a bucket that refills beyond
// what it holds, or by time that passed twice.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { BucketTable } from '../../../core/limits/bucket-table.ts';
import {
  bucketSeconds,
  type FeedLimits,
  type ShareAmounts,
  type ShareAnswer,
  shareNames,
  TokenBuckets,
} from '../../../core/limits/token-bucket.ts';

const limits: fc.Arbitrary<FeedLimits> = fc.record({
  requests: fc.integer({ min: 1, max: 50 }),
  bytes: fc.integer({ min: 1, max: 5_000 }),
  elements: fc.integer({ min: 1, max: 500 }),
});

const steps = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 60_000 })),
    key: fc.constantFrom('flood', 'other'),
    requests: fc.constantFrom(0, 1),
    bytes: fc.integer({ min: 0, max: 50_000 }),
    elements: fc.integer({ min: 0, max: 5_000 }),
  }),
  { maxLength: 120 },
);

/** The two tables forget full buckets at different times, which changes the last digit. */
function waitOf(answer: ShareAnswer): number {
  return answer.kind === 'taken' ? 0 : answer.waitMs;
}

/** Amounts that fit into a bucket. Larger ones are accepted too, and paid off afterwards. */
function fitting(amounts: ShareAmounts, rates: FeedLimits): ShareAmounts {
  return Object.fromEntries(
    shareNames.map((name) => [name, Math.min(amounts[name] ?? 0, rates[name] * bucketSeconds)]),
  );
}

describe('token buckets of keys', () => {
  it('give no more than they hold and their rate, between any two moments', () => {
    fc.assert(
      fc.property(limits, steps, (rates, asked) => {
        const table = new BucketTable(rates);
        const given: { at: number; amounts: ShareAmounts }[] = [];
        let now = 0;
        for (const { after, key, ...amounts } of asked) {
          now += after;
          const fits = fitting(amounts, rates);
          if (table.take(key, fits, now).kind === 'taken' && key === 'flood') given.push({ at: now, amounts: fits });
        }
        for (const [from, first] of given.entries()) {
          for (const name of shareNames) {
            let sum = 0;
            for (const { at, amounts } of given.slice(from)) {
              sum += amounts[name] ?? 0;
              const most = rates[name] * (bucketSeconds + (at - first.at) / 1_000);
              assert.ok(sum <= most + 1e-6, `${sum} ${name} of ${most}`);
            }
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('hold no more than ten seconds of their rate, and count no time twice that a clock goes back by', () => {
    fc.assert(
      fc.property(limits, fc.array(fc.integer({ min: -20_000, max: 20_000 }), { maxLength: 20 }), (rates, moves) => {
        const buckets = new TokenBuckets(rates, 0);
        const all = Object.fromEntries(shareNames.map((name) => [name, rates[name] * bucketSeconds]));
        let [now, latest] = [0, 0];
        for (const move of moves) {
          now += move;
          buckets.take(rates, { requests: 0 }, now);
          latest = Math.max(latest, now);
        }
        assert.equal(buckets.take(rates, all, now).kind, 'taken');
        const again = buckets.take(rates, all, now);
        assert.ok(again.kind === 'refused' && Math.abs(again.waitMs - bucketSeconds * 1_000) < 1e-6);
        const half = (bucketSeconds * 1_000) / 2;
        // An empty bucket is half full when half of its time has passed since the latest time ever seen.
        buckets.take(rates, { requests: 0 }, latest - 1_000);
        const later = buckets.take(rates, all, latest + half);
        assert.ok(later.kind === 'refused' && Math.abs(later.waitMs - half) < 1e-6);
      }),
    );
  });

  it('give any amount, however large, to a client that waits as long as asked and sends nothing else', () => {
    fc.assert(
      fc.property(limits, steps, (rates, asked) => {
        const table = new BucketTable(rates);
        let now = 0;
        for (const { after, key, ...amounts } of asked) {
          now += after;
          const answer = table.take(key, amounts, now);
          if (answer.kind === 'taken') continue;
          assert.ok(answer.waitMs > 0);
          assert.equal(
            table.take(key, amounts, now + answer.waitMs - 1).kind,
            'refused',
            'the wait is not longer than necessary',
          );
          now += answer.waitMs + 1e-6;
          assert.equal(table.take(key, amounts, now).kind, 'taken');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('answer one key as if there were no other', () => {
    fc.assert(
      fc.property(limits, steps, (rates, asked) => {
        const [together, alone] = [new BucketTable(rates), new BucketTable(rates)];
        let now = 0;
        for (const { after, key, ...amounts } of asked) {
          now += after;
          const answer = together.take(key, amounts, now);
          if (key !== 'other') continue;
          const expected = alone.take(key, amounts, now);
          assert.ok(
            Math.abs(waitOf(answer) - waitOf(expected)) < 1e-6,
            `${waitOf(answer)} ms, and not ${waitOf(expected)}`,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  it('forget keys that have stopped sending', () => {
    const rates = { requests: 10, bytes: 10, elements: 10 };
    const table = new BucketTable(rates);
    for (let key = 0; key < 1_000; key += 1) table.take(`key ${key}`, { requests: 1 }, key);
    assert.equal(table.size, 1_000);
    table.take('late', { requests: 1 }, 60_000);
    assert.equal(table.size, 1);
  });
});
