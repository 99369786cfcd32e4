// Claim: implied probabilities and holds are the exact rationals, rounded half even to millionths. A violation would need odds at which a
// double, or a wrong tie, gives another digit.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { holdOf, impliedProbability } from '../../../core/odds/hold.ts';

const odds = fc.oneof(fc.integer({ min: 10_001, max: 60_000 }), fc.integer({ min: 10_001, max: 100_010_000 }));

/** Whether `millionths` is over ÷ under, rounded half even. */
function isNearest(millionths: number, over: bigint, under: bigint): boolean {
  // Twice the error, in units of a millionth ÷ `under`.
  const error = 2n * (BigInt(millionths) * under - over * 1_000_000n);
  const size = error < 0n ? -error : error;
  return size < under || (size === under && millionths % 2 === 0);
}

describe('the implied probability', () => {
  it('is 1 ÷ the decimal odds', () => {
    fc.assert(
      fc.property(odds, (decimal) => {
        assert.ok(isNearest(impliedProbability(decimal), 10_000n, BigInt(decimal)));
      }),
      { numRuns: 5_000 },
    );
    assert.deepEqual([20_000, 19_091, 10_001].map(impliedProbability), [500_000, 523_807, 999_900]);
  });
});

describe('the hold', () => {
  it('is 1 − 1 ÷ the sum of the implied probabilities, in any order of the ways', () => {
    fc.assert(
      fc.property(fc.array(odds, { minLength: 2, maxLength: 3 }), (decimals) => {
        const ways = decimals.map(BigInt);
        // The sum as a fraction with one denominator.
        const under = ways.reduce((all, way) => all * way, 1n);
        const over = ways.reduce((sum, way) => sum + (10_000n * under) / way, 0n);
        const hold = holdOf(decimals);
        assert.ok(isNearest(hold, over - under, over));
        assert.equal(holdOf(decimals.toReversed()), hold);
        assert.equal(Math.sign(hold), hold === 0 ? 0 : over > under ? 1 : -1);
      }),
      { numRuns: 5_000 },
    );
  });

  it('of −110 on both sides is 4.55 %, of even money nothing, and less than nothing where backing every way wins', () => {
    assert.equal(holdOf([19_091, 19_091]), 45_450);
    assert.equal(holdOf([20_000, 20_000]), 0);
    assert.equal(holdOf([21_000, 21_000]), -50_000);
    assert.equal(holdOf([30_000, 30_000, 30_000]), 0);
  });

  it('of a tie is the even one: 0.3975625, and −0.8073125', () => {
    assert.equal(holdOf([10_125, 14_875]), 397_562);
    assert.equal(holdOf([30_375, 44_625]), -807_312);
  });
});
