// Claim: a price shown in any format is the price of the columns: read back by the rules of quotes it gives the same odds, and a fraction is
// exactly the column that the source gave. A violation would need a digit lost on the way to the text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { priceText } from '../../../core/odds/price-text.ts';
import { normalisePrice } from '../../../core/quotes/price.ts';

const none = { american: null, decimal: null, fractional: null };
const american = fc
  .integer({ min: 100, max: 1_000_000 })
  .chain((size) => fc.constantFrom(size, -size))
  .map((odds) => ({ ...none, american: String(odds) }));
const decimal = fc
  .oneof(fc.integer({ min: 10_001, max: 60_000 }), fc.integer({ min: 10_001, max: 100_010_000 }))
  .map((odds) => ({ ...none, decimal: `${Math.floor(odds / 10_000)}.${String(odds % 10_000).padStart(4, '0')}` }));
const fractional = fc
  .tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }))
  .map(([over, under]) => ({ ...none, fractional: `${over}/${under}` }));

const quoted = fc.oneof(american, decimal, fractional).map((raw) => {
  const price = normalisePrice(raw);
  assert.ok(price !== null);
  return { american: price.american, decimal: price.decimal, given: price.format };
});

describe('a price as text', () => {
  it('in the format that the source gave, or as a fraction, is read back as the same odds', () => {
    fc.assert(
      fc.property(quoted, (quote) => {
        const { given } = quote;
        const text = priceText(quote, given === 'fractional' ? 'decimal' : given) as string;
        const back = normalisePrice({ ...none, [given === 'fractional' ? 'decimal' : given]: text.replace(/^\+/, '') });
        assert.deepEqual([back?.american, back?.decimal], [quote.american, quote.decimal], text);
        const fraction = normalisePrice({ ...none, fractional: priceText(quote, 'fractional') });
        assert.equal(fraction?.decimal, quote.decimal, `${priceText(quote, 'fractional')} of ${JSON.stringify(quote)}`);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is the American column, the decimal one, and as a fraction exactly the one that the source gave', () => {
    fc.assert(
      fc.property(quoted, (quote) => {
        assert.match(priceText(quote, 'american') as string, quote.american > 0 ? /^\+\d+$/ : /^-\d+$/);
        assert.equal(Number(priceText(quote, 'american')), quote.american);
        assert.equal(BigInt((priceText(quote, 'decimal') as string).replace('.', '')), BigInt(quote.decimal));
        const [over, under] = (priceText(quote, 'fractional') as string).split('/').map(BigInt) as [bigint, bigint];
        assert.ok(over > 0n && under > 0n);
        for (let prime = 2n; prime <= under && prime < 100n; prime += 1n)
          assert.ok(over % prime !== 0n || under % prime !== 0n, 'lowest terms');
        if (quote.given === 'american') {
          const odds = BigInt(quote.american);
          assert.ok(odds > 0n ? over * 100n === odds * under : -odds * over === 100n * under);
        } else assert.equal(over * 10_000n, under * (BigInt(quote.decimal) - 10_000n));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is null where nothing was ever priced', () => {
    for (const format of ['american', 'decimal', 'fractional'] as const)
      assert.equal(priceText({ american: null, decimal: null, given: null }, format), null);
  });
});
