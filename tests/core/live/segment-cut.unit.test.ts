import assert from 'node:assert/strict';
import { it } from 'vitest';
import { opensNewSegment } from '../../../core/live/segment-cut.ts';
import { microsPerMinute } from '../../../core/units.ts';

const first = 1_763_323_200_000_000;
const quarter = 15 * microsPerMinute;

for (const [rows, age, opens, why] of [
  [1, 0, false, 'a young segment goes on'],
  [511, 100 * quarter, false, 'below 512 rows no age opens a new one'],
  [512, quarter - 1, false, '512 rows, a microsecond short of 15 minutes'],
  [512, quarter, true, '512 rows and exactly 15 minutes'],
  [8_191, quarter - 1, false, 'room for one more row'],
  [8_192, 0, true, 'full, at once'],
  [8_192, -quarter, true, 'full, by a row of an earlier time'],
  [600, -quarter, false, 'a row of an earlier time is no age'],
] as const) {
  it(`${opens ? 'cuts' : 'does not cut'} after ${rows} rows, ${age} µs after the first: ${why}`, () => {
    assert.equal(opensNewSegment({ rows, firstTimestamp: first }, first + age), opens);
  });
}
