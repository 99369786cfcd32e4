// A checkpoint that does not move while the log grows (docs/operations.md#health) is reported six seconds after the log began to grow.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Stalls } from '../../../core/health/stalls.ts';

const second = 1_000_000;

/** The stalls after checking these checkpoints and ends every two seconds. */
function stallsOf(looks: readonly (readonly [nextOffset: number, end: number])[]) {
  const stalls = new Stalls();
  return looks.map(([nextOffset, end], at) => stalls.look([{ stream: 's', nextOffset, end }], 2 * at * second)).at(-1);
}

describe('a checkpoint', () => {
  it('that stands still for six seconds while the log grows is stalled since the growth', () => {
    const stands = [5, 5, 5, 5, 5].map((next, at) => [next, 5 + 2 * at] as const);
    assert.deepEqual(stallsOf(stands.slice(0, 4)), []);
    assert.deepEqual(stallsOf(stands), [{ stream: 's', since: 2 * second, behind: 8 }]);
  });

  it('that moves, however little and far behind, is not', () => {
    assert.deepEqual(stallsOf([0, 0, 0, 1, 1, 1].map((next, at) => [next, 1_000 * (at + 1)] as const)), []);
  });

  it('of a log in which nothing happens is not, however long it has been behind', () => {
    assert.deepEqual(stallsOf([0, 0, 0, 0, 0, 0, 0].map((next) => [next, 100] as const)), []);
  });

  it('one offset behind is not: that may be the control record of a transaction', () => {
    assert.deepEqual(stallsOf([[5, 5], ...Array.from({ length: 9 }, () => [5, 6] as const)]), []);
  });

  it('that moves again is no longer stalled', () => {
    const stands = Array.from({ length: 6 }, (_, at) => [5, 5 + 2 * at] as const);
    assert.equal(stallsOf(stands)?.length, 1);
    assert.deepEqual(stallsOf([...stands, [6, 20]]), []);
  });
});
