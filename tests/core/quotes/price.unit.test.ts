import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { normalisePrice } from '../../../core/quotes/price.ts';
import type { Price } from '../../../core/quotes/types.ts';

const none = { american: null, decimal: null, fractional: null };
const american = (text: string) => shown(normalisePrice({ ...none, american: text }));
const decimal = (text: string) => shown(normalisePrice({ ...none, decimal: text }));
const fractional = (text: string) => shown(normalisePrice({ ...none, fractional: text }));

function shown(price: Price | null): [number, number] | null {
  return price === null ? null : [price.american, price.decimal];
}

describe('American prices', () => {
  const good: readonly [text: string, american: number, decimal: number][] = [
    ['100', 100, 20_000],
    ['-100', 100, 20_000],
    ['-100.0', 100, 20_000],
    ['101', 101, 20_100],
    ['-101', -101, 19_901],
    ['-110', -110, 19_091],
    ['-110.0', -110, 19_091],
    ['-1.1e2', -110, 19_091],
    ['1000000', 1_000_000, 100_010_000],
    ['-1000000', -1_000_000, 10_001],
    ['-640', -640, 11_562],
    ['-3200', -3_200, 10_312],
    ['-128', -128, 17_812],
    ['-80000', -80_000, 10_012],
    ['-400000', -400_000, 10_002],
  ];
  for (const [text, a, d] of good) it(`${text} is ${d}`, () => assert.deepEqual(american(text), [a, d]));

  const bad = [
    '99',
    '-99',
    '99.999999',
    '0',
    '-0',
    '110.5',
    '-110.00000000000000000001',
    '1000001',
    '-1000001',
    '1e7',
    '1e999999999',
    '',
    'string',
    '+110',
    '-110 ',
    '0110',
    '"-110"',
  ];
  for (const text of bad) it(`not ${JSON.stringify(text)}`, () => assert.equal(american(text), null));
});

describe('decimal prices', () => {
  const good: readonly [text: string, american: number, decimal: number][] = [
    ['1.0001', -1_000_000, 10_001],
    ['1.00006', -1_000_000, 10_001],
    ['1.00015', -500_000, 10_002],
    ['1.9999', 100, 19_999],
    ['2', 100, 20_000],
    ['2.005', 100, 20_050],
    ['2.015', 102, 20_150],
    ['1.32', -312, 13_200],
    ['1.064', -1_562, 10_640],
    ['1.91', -110, 19_100],
    ['1.9100', -110, 19_100],
    ['2.00005', 100, 20_000],
    ['2.00005000000000000000001', 100, 20_001],
    ['10001', 1_000_000, 100_010_000],
    ['10001.00005', 1_000_000, 100_010_000],
    ['191e-2', -110, 19_100],
  ];
  for (const [text, a, d] of good) it(`${text} is ${a}`, () => assert.deepEqual(decimal(text), [a, d]));

  const bad = ['1', '1.00005', '0', '-1.5', '10001.00006', '1e5', '1e-400', 'array', '1.91x'];
  for (const text of bad) it(`not ${JSON.stringify(text)}`, () => assert.equal(decimal(text), null));
});

describe('fractional prices', () => {
  const good: readonly [text: string, american: number, decimal: number][] = [
    ['5/4', 125, 22_500],
    ['05/04', 125, 22_500],
    ['1/2', -200, 15_000],
    ['69/100', -145, 16_900],
    ['1/1', 100, 20_000],
    ['10/11', -110, 19_091],
    ['10000/1', 1_000_000, 100_010_000],
    ['1/10000', -1_000_000, 10_001],
    ['1/20000', 0, 0],
    ['3/20000', -500_000, 10_002],
    ['1000000000000000000000/2000000000000000000000', -200, 15_000],
  ];
  for (const [text, a, d] of good) it(`${text}`, () => assert.deepEqual(fractional(text), a === 0 ? null : [a, d]));

  const bad = [
    '5/0',
    '0/0',
    '0/1',
    '10001/1',
    'evens',
    '+5/4',
    '-5/4',
    ' 5/4',
    '5/4 ',
    '5/4/1',
    '5.0/4',
    '٥/٤',
    '5/',
    '/4',
    '/',
    '5',
    '',
    '1e2/1',
  ];
  for (const text of bad) it(`not ${JSON.stringify(text)}`, () => assert.equal(fractional(text), null));

  it('of any length are read or refused at once', () => {
    assert.equal(fractional(`${'9'.repeat(400_000)}/${'9'.repeat(400_000)}`), null);
    assert.equal(fractional(`${'0'.repeat(400_000)}`), null);
    assert.deepEqual(fractional(`${'9'.repeat(9_000)}/${'9'.repeat(9_000)}`), [100, 20_000]);
  });
});

describe('several formats', () => {
  it('American wins, also when it is invalid, else decimal, else fractional', () => {
    const all = { american: '-110', decimal: '1.95', fractional: '5/4' };
    assert.equal(normalisePrice(all)?.format, 'american');
    assert.equal(normalisePrice({ ...all, american: '50' }), null);
    assert.equal(normalisePrice({ ...all, american: null })?.format, 'decimal');
    assert.equal(normalisePrice({ ...all, american: null, decimal: '1' }), null);
    assert.equal(normalisePrice({ ...all, american: null, decimal: null })?.format, 'fractional');
    assert.equal(normalisePrice(none), null);
  });
});
