// The Range header: docs/interface.md#final-files; docs/interface.md#ranges.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it, vi } from 'vitest';
import { parseRange, resolveRange } from '../../../api/http/range.ts';

const size = 100;

/** What a header means for a file of 100 bytes. */
function meaning(field: string): string {
  const header = parseRange(field);
  if (header.kind !== 'one') return header.kind;
  const part = resolveRange(header.range, size);
  return part === null ? 'unsatisfiable' : `${part.start}-${part.end}`;
}

describe('one range of bytes', () => {
  const table: [string, string][] = [
    ['bytes=0-0', '0-1'],
    ['bytes=0-99', '0-100'],
    ['bytes=10-19', '10-20'],
    ['bytes=10-', '10-100'],
    ['bytes=99-', '99-100'],
    ['bytes=0-1000', '0-100'],
    ['bytes=90-99999999999999999999999999', '90-100'],
    ['Bytes=1-2', '1-3'],
    ['bytes= 1-2 ', '1-3'],
    ['bytes=1-2,', '1-3'],
    ['bytes=007-008', '7-9'],
    ['bytes=5-0000000000000010', '5-11'],
    ['bytes=0000000000000000-1', '0-2'],
    ['bytes=-0000000000000001', '99-100'],
    // Suffix ranges, some longer than the file.
    ['bytes=-1', '99-100'],
    ['bytes=-100', '0-100'],
    ['bytes=-262144', '0-100'],
    [`bytes=-${'9'.repeat(400)}`, '0-100'],
  ];
  for (const [field, expected] of table)
    it(`${field.slice(0, 40)} is ${expected}`, () => assert.equal(meaning(field), expected));
});

describe('what cannot be satisfied', () => {
  for (const field of [
    'bytes=100-',
    'bytes=100-200',
    'bytes=-0',
    'bytes=-0000000000000000',
    `bytes=${'9'.repeat(400)}-`,
  ]) {
    it(field.slice(0, 40), () => assert.equal(meaning(field), 'unsatisfiable'));
  }
  it('is everything in a file without bytes', () => {
    assert.equal(resolveRange({ first: 0, last: null }, 0), null);
    assert.equal(resolveRange({ suffix: 5 }, 0), null);
  });
});

describe('what is answered with the whole file', () => {
  for (const field of [
    'items=0-5',
    'none=',
    'x!=zzz',
    'bytes=0-1,5-6',
    'bytes=0-0, 0-0',
    'bytes=-1,-1',
    'bytes=0-,500-',
  ]) {
    it(field, () => assert.equal(meaning(field), 'whole'));
  }
  it('a thousand ranges are one body', () => {
    const field = `bytes=${Array.from({ length: 1_000 }, (_, at) => `${at}-${at}`).join(',')}`;
    assert.equal(parseRange(field).kind, 'whole');
  });
  // `npm run bench -- h` prints the time. It is bounded because each range is read once and the header has at most 8
  // KiB.
  it('a thousand ranges are each parsed once, and parsing stops at the first bad one', () => {
    const ranges = Array.from({ length: 1_000 }, (_, at) => `${at}-${at}`);
    using read = vi.spyOn(RegExp.prototype, 'exec');
    const readings = (field: string) => {
      read.mockClear();
      parseRange(field);
      // The unit and the numbers of each range are read as well.
      return read.mock.calls.map(([text]) => text).filter((text) => /[-x]/.test(text));
    };
    assert.deepEqual(readings(`bytes=${ranges.join(',')}`), ranges);
    assert.deepEqual(readings(`bytes=0-0,x,${ranges.join(',')}`), ['0-0', 'x']);
    assert.deepEqual(readings(`bytes=${','.repeat(8_000)}`), []);
  });
});

describe('bad syntax', () => {
  const table = [
    '',
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=a-b',
    'bytes=1',
    'bytes=5-2',
    'bytes=1-2-3',
    'bytes=0x1-2',
    'bytes=1 -2',
    'bytes =1-2',
    '=1-2',
    'by tes=1-2',
    'bytes=1-2, bytes=3-4',
    'bytes=0-1,x',
    'bytes=--1',
    'bytes=+1-2',
    'bytes=1.5-2',
    'bytes=1-2\u00a0x',
  ];
  for (const field of table) it(JSON.stringify(field), () => assert.equal(meaning(field), 'malformed'));
});

// Claim: whatever the header says, the served part lies within the file, and for a plain range it is the requested
// part. A violation would need resolveRange to go outside [0, size) or to be off by one at an end.
it('serves exactly the bytes asked for, within the file', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), fc.nat(200), (first, length, bytes) => {
      const part = resolveRange({ first, last: first + length }, bytes);
      const whole = Array.from({ length: bytes }, (_, at) => at);
      const expected = whole.filter((at) => at >= first && at <= first + length);
      assert.deepEqual(part === null ? [] : whole.slice(part.start, part.end), expected);
    }),
  );
});
