// Queries as they stand on the wire, whatever their parameters mean: which names, how often, in which bytes (docs/interface.md#routes).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { queryOf, readParameters } from '../../http/query.ts';

const taken = { rows: true, cursor: true, team: true };

describe('parameters that are read', () => {
  const table: [string, Record<string, string>][] = [
    ['', {}],
    ['&', {}],
    ['&rows=1&&cursor=', { rows: '1', cursor: '' }],
    ['rows', { rows: '' }],
    ['cursor=1%3A42&rows=7', { cursor: '1:42', rows: '7' }],
    ['team=Boston+Red%20Sox', { team: 'Boston Red Sox' }],
    ['team=a%26b%3Dc=d', { team: 'a&b=c=d' }],
    ['te%61m=x', { team: 'x' }],
    ['team=%C3%A9', { team: '\u00e9' }],
  ];
  for (const [query, parameters] of table) {
    it(JSON.stringify(query), () => {
      const read = readParameters(query, taken);
      assert.ok(typeof read !== 'string', String(read));
      assert.deepEqual(Object.fromEntries(read), parameters);
    });
  }
});

describe('a query with what is no parameter, and what it is told', () => {
  const table: [string, RegExp][] = [
    ['row=1', /unknown parameter 'row'/],
    ['Rows=1', /unknown parameter 'Rows'/],
    ['rows=1&rows=1', /rows is given more than once/],
    ['rows=1&ro%77s=2', /rows is given more than once/],
    ['rows[]=1', /unknown parameter/],
    ['__proto__=1', /unknown parameter '__proto__'/],
    ['constructor=1', /unknown parameter 'constructor'/],
    ['toString', /unknown parameter/],
    ['=1', /^unknown parameter in place 1$/],
    ['rows=١', /not valid percent-encoded/],
    ['team=%ZZ', /percent-encoded/],
    ['team=%FF', /percent-encoded/],
    ['team=%C0%AF', /percent-encoded/],
    ['team=\u00e9', /percent-encoded/],
    [`rows=1&x${'y'.repeat(500)}=1`, /^unknown parameter in place 2$/],
    ['<script>=1', /^unknown parameter in place 1$/],
    [`svc_live_${'x'.repeat(10)}=1`, /^unknown parameter in place 1$/],
  ];
  for (const [query, detail] of table) {
    it(JSON.stringify(query.slice(0, 40)), () => {
      const read = readParameters(query, taken);
      assert.ok(typeof read === 'string');
      assert.match(read, detail);
    });
  }
});

it('the query begins at the first question mark', () => {
  assert.equal(queryOf('/a?b=c?d'), 'b=c?d');
  assert.equal(queryOf('/a'), '');
  assert.equal(queryOf('/a?'), '');
});
