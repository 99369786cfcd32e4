// Steps that fill a partition give each record the offset that it had, counted as Kafka counts: a record takes one, a transaction one more.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { RefillPlan, type RefillStep } from '../../../core/raw-archive/refill-plan.ts';

type Placed = { offset: number; bytes: Uint8Array };
const at = (offset: number, size = 1): Placed => ({ offset, bytes: new Uint8Array(size) });

function stepsOf(from: number, records: readonly Placed[], to: number): RefillStep<Placed>[] {
  const plan = new RefillPlan<Placed>(from);
  return [...records.flatMap((record) => [...plan.add(record)]), ...plan.end(to)];
}

/** The places that Kafka gives the records, and the offset after them. */
function placed(from: number, steps: readonly RefillStep<Placed>[]) {
  const offsets: [is: number, was: number][] = [];
  let next = from;
  for (const step of steps) {
    if (step.kind === 'void') next += step.offsets;
    else if (step.kind === 'committed') {
      offsets.push([next, step.record.offset]);
      next += 2;
    } else for (const { offset } of step.records) offsets.push([next++, offset]);
  }
  return { offsets, next };
}

describe('filling a partition', () => {
  it('gives every record its offset, whatever is missing between them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1 }), fc.nat(3), (gaps, end) => {
        let next = 7;
        const records = gaps.map((gap, index) => {
          next += index === 0 ? 0 : gap;
          return at(next++);
        });
        const steps = stepsOf(7, records, next + end);
        const { offsets, next: after } = placed(7, steps);
        assert.equal(after, next + end);
        assert.deepEqual(
          offsets,
          records.map(({ offset }) => [offset, offset]),
        );
        for (const step of steps) if (step.kind === 'void') assert.ok(step.offsets > 1);
      }),
    );
  });

  it('appends neighbours together, up to what a request may hold', () => {
    assert.deepEqual(
      stepsOf(0, [at(0), at(1), at(2)], 3).map((step) => step.kind),
      ['records'],
    );
    const large = [at(0, 500_000), at(1, 500_000), at(2, 2_000_000), at(3)];
    const sizes = stepsOf(0, large, 4).map((step) => (step.kind === 'records' ? step.records.length : step.kind));
    assert.deepEqual(sizes, [1, 1, 1, 1]);
  });

  it('is nothing for a partition without records, and refuses what it cannot place', () => {
    assert.deepEqual(stepsOf(5, [], 5), []);
    assert.deepEqual(stepsOf(5, [], 9), [{ kind: 'void', offsets: 4 }]);
    assert.throws(() => stepsOf(5, [], 6), RangeError);
    assert.throws(() => stepsOf(5, [at(4)], 6), RangeError);
  });
});
