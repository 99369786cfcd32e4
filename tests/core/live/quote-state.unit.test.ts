import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { quoteState, staleFrom } from '../../../core/live/quote-state.ts';

const table = new URL('../../vectors/quotes/quote_state.csv', import.meta.url);

describe('quote_state of the vectors', () => {
  const lines = readFileSync(table, 'utf8').trim().split('\n').slice(1);
  for (const line of lines) {
    const [watermark, logTime, start, flag, missing, state, ...why] = line.split(',');
    it(`is ${state}: ${why.join(',')}`, () => {
      const stale = micros(logTime!) >= staleFrom(micros(watermark!), micros(start!), flag === 'true');
      assert.equal(quoteState(Number(missing), stale), state);
    });
  }
});

describe('an operator goes stale', () => {
  const second = 1_000_000;
  for (const [start, inPlay, after, why] of [
    [null, false, 120 * second, 'nobody told a start'],
    [1_000 * second, false, 120 * second, 'long before the start'],
    [-1_000 * second, false, 15 * second, 'after the start'],
    [1_000 * second, true, 15 * second, 'before the start, but its newest record said in play'],
    [60 * second, false, 60 * second - 1, 'at the start, its watermark being older than 15 s by then'],
    [10 * second, false, 15 * second, 'the start comes while it is fresh'],
    [120 * second + 1, false, 120 * second, 'the start comes as it is stale already'],
  ] as const) {
    it(`${after / second} s after its watermark: ${why}`, () => {
      const watermark = 1_763_323_200_000_000;
      const from = staleFrom(watermark, start === null ? null : watermark + start, inPlay);
      assert.equal(from, watermark + after + 1);
    });
  }
});

// Claim: `staleFrom` gives the rule's result: stale iff log time − watermark > T, where T is 15 s if start ≤ log time
// or the flag is true, else 120 s. A violation would need a log time on the wrong side of `staleFrom`.
it('is the rule of the board for every log time', () => {
  const second = 1_000_000;
  const near = fc.integer({ min: -200 * second, max: 200 * second });
  fc.assert(
    fc.property(near, fc.option(near), fc.boolean(), near, (watermark, start, flag, logTime) => {
      const limit = flag || (start !== null && start <= logTime) ? 15 * second : 120 * second;
      assert.equal(logTime >= staleFrom(watermark, start, flag), logTime - watermark > limit);
    }),
    { numRuns: 2_000 },
  );
});

function micros(text: string): number {
  const [whole, fraction] = text.split('.');
  return Date.parse(`${whole}Z`) * 1_000 + Number(fraction!.slice(0, 6));
}
