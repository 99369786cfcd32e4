// Claims: a price does not depend on how its number is written, nor on what was asked before (prices are remembered); every
// accepted price is within the limits and its two forms name nearly the same odds.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { fixedText } from '../../../core/decimal.ts';
import { normalisePrice, type RawPrice } from '../../../core/quotes/price.ts';

const none: RawPrice = { american: null, decimal: null, fractional: null };
const whole = fc.oneof(fc.integer({ min: -1_200_000, max: 1_200_000 }), fc.integer({ min: -300, max: 300 }));

describe('prices', () => {
  it('in American form do not depend on how the integer is written', () => {
    fc.assert(
      fc.property(whole, fc.constantFrom('', '.0', '.000', 'e0', 'E+0'), (a, tail) => {
        const expected = Math.abs(a) >= 100 && Math.abs(a) <= 1_000_000 ? (a === -100 ? 100 : a) : undefined;
        for (const text of [`${a}${tail}`, `${a}0e-1`]) {
          assert.equal(normalisePrice({ ...none, american: text })?.american, expected, text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('in decimal form keep four places, and name American odds that round to them', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 9_990, max: 25_000 }), fc.integer({ min: 9_990, max: 100_020_000 })),
        (unscaled) => {
          const price = normalisePrice({ ...none, decimal: fixedText(unscaled, 4) });
          assert.equal(price === null, unscaled < 10_001 || unscaled > 100_010_000);
          if (price === null) return;
          assert.equal(price.decimal, unscaled);
          const odds = (unscaled - 10_000) / 10_000;
          const exact = odds >= 1 ? odds * 100 : -100 / odds;
          assert.ok(Math.abs((price.american === 100 && exact < 0 ? -100 : price.american) - exact) <= 0.5 + 1e-6);
          assert.ok(Math.abs(price.american) >= 100 && Math.abs(price.american) <= 1_000_000);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('as fractions are what their decimal is, whatever the fraction is multiplied with', () => {
    const part = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(part, part, fc.bigInt({ min: 1n, max: 10n ** 40n }), (over, under, factor) => {
        const price = normalisePrice({ ...none, fractional: `${over}/${under}` });
        const multiplied = normalisePrice({
          ...none,
          fractional: `${BigInt(over) * factor}/0${BigInt(under) * factor}`,
        });
        assert.deepEqual(multiplied, price);
        // With 30 more places than count, it stands for the infinite decimal.
        const places = (10n ** 34n * BigInt(over + under)) / BigInt(under);
        const text = String(places).padStart(35, '0');
        const cut = normalisePrice({ ...none, decimal: `${text.slice(0, -34)}.${text.slice(-34)}` });
        assert.deepEqual(cut && { ...cut, format: 'fractional' }, price);
      }),
      { numRuns: 1_000 },
    );
  });
});
