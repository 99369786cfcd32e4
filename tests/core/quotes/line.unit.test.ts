import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { lineText, normaliseLine } from '../../../core/quotes/line.ts';

describe('lines', () => {
  const good: readonly [text: string, thousandths: number, shortest: string][] = [
    ['0', 0, '0'],
    ['-0', 0, '0'],
    ['-0.0', 0, '0'],
    ['0.125', 125, '0.125'],
    ['-1.50', -1_500, '-1.5'],
    ['3.0', 3_000, '3'],
    ['21.5', 21_500, '21.5'],
    ['25e-1', 2_500, '2.5'],
    ['1.5000000000000000000000', 1_500, '1.5'],
    ['99999.999', 99_999_999, '99999.999'],
    ['-99999.999', -99_999_999, '-99999.999'],
    ['1e2', 100_000, '100'],
  ];
  for (const [text, line, shortest] of good) {
    it(text, () => {
      assert.ok(Object.is(normaliseLine(text), line));
      assert.ok(Object.is(normaliseLine(text), line), 'from the cache');
      assert.equal(lineText(line), shortest);
    });
  }

  const bad = [
    '100000',
    '-100000',
    '99999.9999',
    '0.1234',
    '0.0005',
    '1e5',
    '1e300',
    '1e-4',
    '',
    'string',
    '+2.5',
    '2.5 ',
    '.5',
    'true',
  ];
  for (const text of bad) it(`not ${JSON.stringify(text)}`, () => assert.equal(normaliseLine(text), null));
});
