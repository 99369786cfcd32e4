// Claim: two queries share a name, and with it an answer that is kept, only if they ask for the same, whatever their values are called.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { it } from 'vitest';
import { nameOfQuery, type OddsQuery } from '../../../api/odds/odds-query.ts';

const text = fc.constantFrom('null', 'moneyline', 'total', 'true', '*');
const query: fc.Arbitrary<OddsQuery> = fc.record({
  market: fc.option(text),
  period: fc.option(text),
  operators: fc.option(fc.uniqueArray(text, { maxLength: 3 })),
  format: fc.option(fc.constantFrom('american', 'decimal', 'fractional')),
  bestOnly: fc.boolean(),
});

it('a query is named by what it asks for', () => {
  const member = fc.constantFrom<keyof OddsQuery>('market', 'period', 'operators', 'format', 'bestOnly');
  fc.assert(
    fc.property(query, query, member, (one, another, changed) => {
      const other = { ...one, [changed]: another[changed] };
      assert.equal(nameOfQuery(one) === nameOfQuery(other), isDeepStrictEqual({ ...one }, other));
    }),
    { numRuns: 2_000 },
  );
});

it('a market with the name null is not every market', () => {
  const all: OddsQuery = { market: null, period: null, operators: null, format: null, bestOnly: false };
  assert.notEqual(nameOfQuery({ ...all, market: 'null' }), nameOfQuery(all));
  assert.notEqual(nameOfQuery({ ...all, period: 'null' }), nameOfQuery(all));
});
