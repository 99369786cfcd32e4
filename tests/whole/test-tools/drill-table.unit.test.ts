// Claim: the table of a drill calls late what is over its limit or never came, and nothing else.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { type DrillLine, describeDrill, isLineInTime } from '../../support/drill/drill-table.ts';

const inTime: DrillLine = {
  fault: 'restart-broker',
  reported: { ms: 2_140, limitMs: 15_000 },
  takenOver: null,
  recovered: { ms: 10_000, limitMs: 10_000 },
  endReported: { ms: 0, limitMs: 15_000 },
  said: [],
  fresh: null,
  missing: [],
};

it('prints what was measured beside its limit', () => {
  const never: DrillLine = { ...inTime, fault: 'disk-full', reported: { ms: null, limitMs: 15_000 } };
  assert.equal(
    describeDrill([inTime, never]),
    [
      'fault           reported after  taken over after  recovered after  end reported after  fresh p99',
      'restart-broker  2.1 s of 15.0   –                 10.0 s of 10.0   0.0 s of 15.0       –          ok',
      'disk-full       never of 15.0   –                 10.0 s of 10.0   0.0 s of 15.0       –          late',
    ].join('\n'),
  );
});

it('holds each measure against its limit', () => {
  assert.ok(isLineInTime(inTime));
  assert.ok(isLineInTime({ ...inTime, reported: null }));
  for (const name of ['reported', 'takenOver', 'recovered', 'endReported', 'fresh'] as const)
    for (const ms of [null, 10_001]) assert.ok(!isLineInTime({ ...inTime, [name]: { ms, limitMs: 10_000 } }), name);
});
