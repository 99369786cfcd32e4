// What a value of a body means for a column (docs/revisions.md#values).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { JsonNumber, type JsonValue } from '../../../core/json/value.ts';
import {
  dec124Of,
  int32Of,
  int64Of,
  listOf,
  numberOf,
  objectOf,
  teamOf,
  textOf,
  timestampOf,
  valueAt,
} from '../../../core/msf/values.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';

const number = (text: string) => new JsonNumber(text);
const noNumbers: readonly JsonValue[] = [null, true, '', '1', [], [1], {}, { text: '1' }];

describe('a number', () => {
  const means: readonly (readonly [JsonValue, number | null])[] = [
    [2, 2],
    [number('2.0'), 2],
    [number('-0.0'), 0],
    [-0, 0],
    [number('1e2'), 100],
    [number('0.1000000000000000055'), 0.1],
    [number('9007199254740993'), 9007199254740992],
    [number('1e400'), null],
    ...noNumbers.map((value) => [value, null] as const),
  ];
  for (const [value, expected] of means) {
    it(`${JSON.stringify(value)} is ${expected}`, () => assert.ok(Object.is(numberOf(value), expected)));
  }
});

describe('an integer column', () => {
  const table: readonly (readonly [JsonValue, number | null, number | null])[] = [
    [7, 7, 7],
    [number('7.00'), 7, 7],
    [number('-0'), 0, 0],
    [7.5, null, null],
    [2147483647, 2147483647, 2147483647],
    [2147483648, null, 2147483648],
    [-2147483648, -2147483648, -2147483648],
    [-2147483649, null, -2147483649],
    [9007199254740991, null, 9007199254740991],
    [9007199254740992, null, null],
    [number('1e3'), 1000, 1000],
    ...noNumbers.map((value) => [value, null, null] as const),
  ];
  for (const [value, int32, int64] of table) {
    it(`takes ${JSON.stringify(value)} as ${int32} and ${int64}`, () => {
      assert.ok(Object.is(int32Of(value), int32));
      assert.ok(Object.is(int64Of(value), int64));
    });
  }
});

describe('a dec(12,4) column', () => {
  const table: readonly (readonly [JsonValue, number | null])[] = [
    [1, 10_000],
    [number('1.00005'), 10_000],
    [number('2.00015'), 20_002],
    [0.00005, 0],
    [0.00015, 2],
    [-0.00015, -2],
    [-0.00004, 0],
    // The double is below the tie, but its text is the tie: the text counts.
    [1.00005, 10_000],
    [99_999_999.9999, 999_999_999_999],
    [99_999_999.99994, 999_999_999_999],
    [99_999_999.99995, null],
    [100_000_000, null],
    [-99_999_999.9999, -999_999_999_999],
    [number('1e-400'), 0],
    [number('1e400'), null],
    [1e21, null],
    ...noNumbers.map((value) => [value, null] as const),
  ];
  for (const [value, expected] of table) {
    it(`holds ${JSON.stringify(value)} as ${expected}`, () => assert.ok(Object.is(dec124Of(value), expected)));
  }
});

describe('text and time columns', () => {
  it('take strings alone', () => {
    assert.equal(textOf(''), '');
    for (const value of [null, 1, true, [], {}, number('1')]) {
      assert.equal(textOf(value), null);
      assert.equal(timestampOf(value), null);
    }
  });
  it('take times with a zone, cut after the sixth digit', () => {
    assert.equal(timestampOf('2026-01-10T00:30:00.1234569Z'), parseRfc3339('2026-01-10T00:30:00.123456Z'));
    assert.equal(timestampOf('2026-01-09T19:30:00-05:00'), parseRfc3339('2026-01-10T00:30:00Z'));
    assert.equal(timestampOf('1684-07-28T00:12:25.259009Z'), Number.MIN_SAFE_INTEGER);
    assert.equal(timestampOf('2255-06-05T23:47:34.740991Z'), Number.MAX_SAFE_INTEGER);
    for (const text of ['0001-01-01T00:00:00Z', '1684-07-28T00:12:25.259008Z', '2255-06-05T23:47:34.740992Z'])
      assert.equal(timestampOf(text), null, `${text} is beyond what a row holds`);
    for (const text of ['', '2026-01-10', '2026-01-10T00:30:00', '2026-02-30T00:30:00Z', 'x']) {
      assert.equal(timestampOf(text), null, text);
    }
  });
});

describe('a place in a body', () => {
  const body: JsonValue = { a: [{ b: 1 }, null], ['__proto__']: 2, s: 'text' };
  it('is the value at that place, and null where there is none', () => {
    assert.equal(valueAt(body, 'a', 0, 'b'), 1);
    assert.equal(valueAt(body), body);
    for (const path of [
      ['a', 1, 'b'],
      ['a', 2],
      ['a', -1],
      ['a', 'length'],
      ['s', 'length'],
      ['s', 0],
      ['b', 'c'],
      ['toString'],
    ]) {
      assert.equal(valueAt(body, ...path), null, path.join('/'));
    }
  });
  it('may have any name', () => {
    assert.equal(valueAt(JSON.parse('{"__proto__":2}') as JsonValue, '__proto__'), 2);
  });
  it('is recognised as an object, a list or neither', () => {
    assert.equal(objectOf(body), body);
    for (const value of [null, 1, 'x', [], number('1')]) assert.equal(objectOf(value), null);
    assert.deepEqual(listOf([1]), [1]);
    for (const value of [null, 1, 'x', {}]) assert.deepEqual(listOf(value), []);
  });
  it('names a team by id, by abbreviation or not', () => {
    assert.deepEqual(teamOf({ id: 82, abbreviation: 'BOS' }), { id: 82, abbreviation: 'BOS' });
    assert.deepEqual(teamOf({ id: 'x', abbreviation: 'BOS' }), { id: null, abbreviation: 'BOS' });
    assert.deepEqual(teamOf({ id: 82 }), { id: 82, abbreviation: null });
    for (const value of [null, {}, [], { id: '82' }, 82]) assert.equal(teamOf(value), null);
  });
});
