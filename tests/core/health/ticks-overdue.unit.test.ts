// The age of the newest tick (docs/operations.md#status): ten seconds are enough for the next holder of a lease.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { areTicksOverdue } from '../../../core/health/ticks-overdue.ts';

it('ticks are overdue when the newest is more than ten seconds old', () => {
  assert.deepEqual([10_000_001, 10_000_000, 0].map(areTicksOverdue), [true, false, false]);
});
