// Spans of row numbers against sets of numbers.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import type { RowSpan } from '../../../core/ports/catalog/settlement.ts';
import { countOf, mergedSpans, spansText, spansWithout } from '../../../core/settlement/row-spans.ts';

const span = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(6))
  .map(([first, more]): RowSpan => [first, first + more]);
const spans = fc.array(span, { maxLength: 8 });

function numbersOf(list: readonly RowSpan[]): number[] {
  return list.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

const ascending = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

it('spans say each number once, in order, in as few spans as there can be', () => {
  fc.assert(
    fc.property(spans, (list) => {
      const merged = mergedSpans(list);
      assert.deepEqual(numbersOf(merged), ascending(numbersOf(list)));
      assert.equal(countOf(merged), new Set(numbersOf(list)).size);
      for (const [index, [first]] of merged.entries())
        assert.ok(index === 0 || first > (merged[index - 1]?.[1] ?? 0) + 1);
    }),
  );
});

it('spans without others are the numbers that are in no other', () => {
  fc.assert(
    fc.property(spans, spans, (list, others) => {
      const out = new Set(numbersOf(others));
      const expected = ascending(numbersOf(list).filter((number) => !out.has(number)));
      assert.deepEqual(numbersOf(spansWithout(list, others)), expected);
    }),
  );
});

it('spans are written as they are typed', () => {
  assert.equal(
    spansText([
      [12, 12],
      [40, 45],
    ]),
    '12,40-45',
  );
});
