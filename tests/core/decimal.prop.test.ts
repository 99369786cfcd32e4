// Claim: rounding and exactness agree with rational arithmetic on BigInt, for every number text. A violation would need a lost digit, or a
// tie that is rounded as if it were above or below one half.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { exactUnscaled, fixedText, readDecimal, roundedUnscaled, shortestText } from '../../core/decimal.ts';

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
const numbers = fc.record({
  negative: fc.boolean(),
  whole: fc.oneof(
    fc.constant('0'),
    digits(0, 7).map((rest) => `1${rest}`),
    digits(0, 4).map((rest) => `9${rest}`),
  ),
  fraction: fc.oneof(
    fc.constant(''),
    digits(1, 6),
    digits(1, 3).map((start) => `${start}5000`),
    digits(3, 3).map((start) => `${start}50`),
    digits(20, 30),
  ),
  exponent: fc.integer({ min: -12, max: 6 }),
});
type Parts = { negative: boolean; whole: string; fraction: string; exponent: number };

function textOf({ negative, whole, fraction, exponent }: Parts): string {
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent === 0 ? '' : `e${exponent}`}`;
}

/** |value| · 10^scale as a fraction. */
function rational({ whole, fraction, exponent }: Parts, scale: number): [over: bigint, under: bigint] {
  const power = exponent - fraction.length + scale;
  const over = BigInt(whole + fraction);
  return power >= 0 ? [over * 10n ** BigInt(power), 1n] : [over, 10n ** BigInt(-power)];
}

function signed(negative: boolean, size: bigint): number | null {
  if (size >= 10n ** 15n) return null;
  return negative && size !== 0n ? -Number(size) : Number(size);
}

describe('decimals', () => {
  it('round as rationals do', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom(0, 3, 4), (parts, scale) => {
        const [over, under] = rational(parts, scale);
        const floor = over / under;
        const twice = (over % under) * 2n;
        const up = twice > under || (twice === under && floor % 2n === 1n);
        const ours = roundedUnscaled(readDecimal(textOf(parts))!, scale);
        if (floor >= 10n ** 15n - 1n) return;
        assert.equal(ours, signed(parts.negative, up ? floor + 1n : floor), textOf(parts));
      }),
      { numRuns: 5_000 },
    );
  });

  it('are exact or not as rationals are', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom(0, 3, 4), (parts, scale) => {
        const [over, under] = rational(parts, scale);
        const expected = over % under === 0n ? signed(parts.negative, over / under) : null;
        assert.equal(exactUnscaled(readDecimal(textOf(parts))!, scale), expected, textOf(parts));
      }),
      { numRuns: 5_000 },
    );
  });

  it('come back from their texts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
        fc.integer({ min: 0, max: 6 }),
        (unscaled, scale) => {
          assert.equal(exactUnscaled(readDecimal(fixedText(unscaled, scale))!, scale), unscaled);
          assert.equal(exactUnscaled(readDecimal(shortestText(unscaled, scale))!, scale), unscaled);
          assert.doesNotMatch(shortestText(unscaled, scale), /\.[0-9]*0$|\.$|^-0$/);
        },
      ),
    );
  });
});
