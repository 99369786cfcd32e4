// Claim: however large the flushes, a full segment has few row groups, and no row is encoded again more than a few times.
// A violation would need a run of small groups that is never merged, or a large group that is dragged into every merge.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { groupsToMerge } from '../../../core/parquet/group-merge.ts';

const segmentRows = 8_192;

/** The row groups of a segment that these flushes fill, and how many rows were encoded in all. */
function fill(flushes: readonly number[]): { groups: number[]; most: number; encoded: number } {
  const groups: number[] = [];
  let most = 0;
  let encoded = 0;
  let rows = 0;
  for (let turn = 0; rows < segmentRows; turn++) {
    const flush = Math.min(flushes[turn % flushes.length]!, segmentRows - rows);
    rows += flush;
    groups.push(flush);
    const count = groupsToMerge(groups);
    const merged = groups.splice(groups.length - Math.max(1, count)).reduce((sum, group) => sum + group, 0);
    groups.push(merged);
    encoded += merged;
    most = Math.max(most, groups.length);
  }
  return { groups, most, encoded };
}

it('keeps the groups few and the work bounded, whatever the flushes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 4_000 })), {
        minLength: 1,
        maxLength: 50,
      }),
      (flushes) => {
        const { groups, most, encoded } = fill(flushes);
        assert.equal(
          groups.reduce((sum, group) => sum + group, 0),
          segmentRows,
        );
        assert.ok(most <= 47, `${most} groups`);
        assert.ok(encoded <= 16 * segmentRows, `${encoded} rows encoded`);
      },
    ),
  );
});

it('encodes a row again once or twice where the flushes are of one size', () => {
  for (const flush of [40, 200, 400]) assert.ok(fill([flush]).encoded <= 2 * segmentRows);
});

it('merges 16 equal groups into one, and 16 of those again', () => {
  assert.equal(groupsToMerge([]), 0);
  assert.equal(groupsToMerge(Array(15).fill(200)), 0);
  assert.equal(groupsToMerge(Array(16).fill(200)), 16);
  assert.equal(groupsToMerge([3_200, ...Array(15).fill(200)]), 0);
  assert.equal(groupsToMerge([3_200, ...Array(16).fill(200)]), 16);
  assert.equal(
    groupsToMerge([...Array(15).fill(256), ...Array(15).fill(16), 16]),
    31,
    'what is merged may complete the next merge',
  );
  assert.deepEqual(fill([200]).groups, [3_200, 3_200, ...Array(8).fill(200), 192]);
});
