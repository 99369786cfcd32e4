import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  divideHalfEven,
  exactUnscaled,
  fixedText,
  readDecimal,
  roundedUnscaled,
  shortestText,
} from '../../core/decimal.ts';

describe('number texts', () => {
  it('are JSON’s, nothing else', () => {
    for (const text of [
      '',
      '-',
      '+1',
      '01',
      '.5',
      '1.',
      '1e',
      '1e+',
      ' 1',
      '1 ',
      '0x1',
      'NaN',
      'Infinity',
      '1_0',
      '٥',
      '1,5',
      '--1',
    ]) {
      assert.equal(readDecimal(text), null, text);
    }
  });

  it('count by value', () => {
    for (const text of ['120', '120.0', '1.2e2', '1.2E+2', '12000e-2', '0.00120e5', '120.000e0']) {
      assert.deepEqual(readDecimal(text), { negative: false, digits: '12', exponent: 3 }, text);
    }
    for (const text of ['0', '-0', '-0.000', '0e99', '0.0e-5']) {
      assert.deepEqual(readDecimal(text), { negative: false, digits: '', exponent: 0 }, text);
    }
  });

  it('of any length and exponent cost no more than reading them', () => {
    const zeros = '0'.repeat(400_000);
    assert.equal(exactUnscaled(readDecimal(`0.${zeros}1e400001`)!, 0), 1);
    assert.equal(roundedUnscaled(readDecimal(`2.${zeros}1`)!, 4), 20_000);
    assert.equal(exactUnscaled(readDecimal(`2.${zeros}1`)!, 4), null);
    assert.equal(exactUnscaled(readDecimal(`1e${'9'.repeat(400_000)}`)!, 0), null);
    assert.equal(roundedUnscaled(readDecimal(`1e-${'9'.repeat(400_000)}`)!, 4), 0);
    assert.equal(readDecimal(`${'1'.repeat(400_000)}x`), null);
    assert.equal(readDecimal(`0.${zeros}x`), null);
  });
});

describe('rounding half even', () => {
  const cases: readonly [text: string, scale: number, expected: number | null][] = [
    ['2.00005', 4, 20_000],
    ['2.00015', 4, 20_002],
    ['2.000050000000000000000001', 4, 20_001],
    ['0.00005', 4, 0],
    ['0.00015', 4, 2],
    ['0.00005000000000001', 4, 1],
    ['-0.00005', 4, 0],
    ['-0.00015', 4, -2],
    ['0.000049', 4, 0],
    ['0.5', 0, 0],
    ['1.5', 0, 2],
    ['2.5', 0, 2],
    ['9999999999.99995', 4, 100_000_000_000_000],
    ['99999999999999999', 0, null],
  ];
  for (const [text, scale, expected] of cases) {
    it(`${text} at ${scale}`, () => assert.ok(Object.is(roundedUnscaled(readDecimal(text)!, scale), expected)));
  }

  it('of quotients', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => divideHalfEven(n, 2)),
      [0, 1, 2, 2, 2, 3, 4],
    );
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((n) => divideHalfEven(n, 3)),
      [0, 1, 1, 1, 2],
    );
  });
});

describe('texts of unscaled integers', () => {
  it('fixed', () => {
    assert.deepEqual(
      [0, 5, -5, 19_091, -2_500_000].map((n) => fixedText(n, 4)),
      ['0.0000', '0.0005', '-0.0005', '1.9091', '-250.0000'],
    );
    assert.equal(fixedText(-7, 0), '-7');
  });

  it('shortest', () => {
    assert.deepEqual(
      [0, 21_500, -1_500, 3_000, 125, -100_000, 10].map((n) => shortestText(n, 3)),
      ['0', '21.5', '-1.5', '3', '0.125', '-100', '0.01'],
    );
    assert.equal(shortestText(100, 0), '100');
  });
});
