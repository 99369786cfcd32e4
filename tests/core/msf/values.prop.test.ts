// Claim: a dec(12,4) is what the exact arithmetic on the number's text gives, whichever way it is reached. A violation would need a double that
// the short way takes for a decimal of four places and whose text says another.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { readDecimal, roundedUnscaled } from '../../../core/decimal.ts';
import { dec124Of } from '../../../core/msf/values.ts';

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e8, max: 1e8, noNaN: true }),
  fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((unscaled) => unscaled / 10_000),
  fc
    .tuple(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.constantFrom(10, 100, 10_000))
    .map(([a, b]) => a / (10_000 * b)),
  fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map(nextDouble),
);

it('a number is the decimal that its text rounds to', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const decimal = readDecimal(String(number + 0));
      const unscaled = decimal === null ? null : roundedUnscaled(decimal, 4);
      const expected = unscaled === null || Math.abs(unscaled) >= 10 ** 12 ? null : unscaled;
      assert.ok(Object.is(dec124Of(number), expected), `${number}: ${dec124Of(number)}, not ${expected}`);
    }),
    { numRuns: 5_000 },
  );
});

/** The next double after a decimal of four places. */
function nextDouble(unscaled: number): number {
  const bits = new BigInt64Array(1);
  const number = new Float64Array(bits.buffer);
  number[0] = unscaled / 10_000;
  bits[0] = (bits[0] ?? 0n) + 1n;
  return Number.isFinite(number[0]) ? number[0] : 0;
}
