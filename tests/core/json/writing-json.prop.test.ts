// Claim: written in steps, JSON text is what `JSON.stringify` makes of it, and no step writes more than one object or 256 elements of a
// list. A violation would need a snapshot that cannot be read, or one that holds everything up.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { writingJson } from '../../../core/json/writing-json.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { cases } from '../../support/arbitraries/cases.ts';

it('is the text of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      assert.equal(runToEnd(writingJson(value)), JSON.stringify(value));
    }),
    { numRuns: cases(1_000) },
  );
});

it('is so for long lists of anything, and for members that are undefined', () => {
  const elements = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.array(fc.integer()), fc.object());
  const lists = fc.tuple(fc.array(elements), fc.integer({ min: 0, max: 300 }));
  fc.assert(
    fc.property(lists, ([pattern, length]) => {
      const list = Array.from({ length }, (_, at) => pattern[at % pattern.length] ?? at);
      const value = { list, absent: undefined, '"': { nested: [list, { absent: undefined }] } };
      assert.equal(runToEnd(writingJson(value)), JSON.stringify(value));
    }),
    { numRuns: cases(200) },
  );
});

it('takes a step for each object of a list, and for 256 of its other elements', () => {
  const rows = Array.from({ length: 2_560 }, (_, at) => [at, 'x']);
  const games = [{ rows }, { rows }];
  assert.ok([...writingJson({ games })].length >= 2 * 10 + 2);
});
