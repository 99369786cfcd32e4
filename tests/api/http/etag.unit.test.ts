// Preconditions: docs/interface.md#entity-tags; RFC 9110, 13.1.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { etagOfBytes, ifMatchPasses, ifNoneMatchNames, ifRangeHolds } from '../../../api/http/etag.ts';

const etag = '"aa11"';

describe('If-None-Match', () => {
  const table: [string, boolean][] = [
    ['"aa11"', true],
    ['W/"aa11"', true],
    ['"b", "aa11"', true],
    ['"b",W/"aa11" , "c"', true],
    [' * ', true],
    ['"a,b", "aa11"', true],
    ['"b"', false],
    ['aa11', false],
    ['"aa1"', false],
    ['"aa11', false],
    ['w/"b"', false],
    ['', false],
    ['"*"', false],
  ];
  for (const [field, names] of table)
    it(`${field} ${names ? 'names' : 'does not name'} it`, () => assert.equal(ifNoneMatchNames(field, etag), names));
  it('names a weak tag by its opaque part', () => assert.equal(ifNoneMatchNames('"aa11"', 'W/"aa11"'), true));
});

describe('If-Match', () => {
  const table: [string, boolean][] = [
    ['"aa11"', true],
    ['"b", "aa11"', true],
    ['*', true],
    ['W/"aa11"', false],
    ['"b"', false],
    ['', false],
  ];
  for (const [field, passes] of table)
    it(`${field} ${passes ? 'passes' : 'fails'}`, () => assert.equal(ifMatchPasses(field, etag), passes));
});

describe('If-Range', () => {
  const table: [string, boolean][] = [
    ['"aa11"', true],
    ['W/"aa11"', false],
    ['"b"', false],
    ['"aa11", "b"', false],
    ['Wed, 21 Oct 2026 07:28:00 GMT', false],
  ];
  for (const [field, holds] of table)
    it(`${field} ${holds ? 'holds' : 'does not hold'}`, () => assert.equal(ifRangeHolds(field, etag), holds));
});

it('a tag is the SHA-256 of the bytes', () => {
  assert.equal(etagOfBytes(Buffer.from('abc')), '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"');
});
