// Claim: bounds of text are the least and the greatest by UTF-8 bytes, as readers compare them — or there are none.
// A violation would need JavaScript's order of strings to show through, or a text to be stored as other bytes than were compared.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { textBounds } from '../../../platform/parquet/statistics.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'), maxLength: 4 }),
);

it('are those of the bytes', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
      const sorted = texts.map((one) => Buffer.from(one)).sort(Buffer.compare);
      const bounds = textBounds(texts);
      assert.deepEqual(bounds && [bounds.least, bounds.greatest], [sorted[0]?.toString(), sorted.at(-1)?.toString()]);
    }),
    { numRuns: 500 },
  );
});

it('are absent where there is no text, a long one, or one that is no Unicode', () => {
  assert.equal(textBounds([]), null);
  assert.equal(textBounds(['a', 'b'.repeat(257)]), null);
  assert.equal(textBounds(['a', '\ud800', 'b']), null);
  assert.deepEqual(textBounds(['a', 'b'.repeat(256)]), { least: 'a', greatest: 'b'.repeat(256) });
});
