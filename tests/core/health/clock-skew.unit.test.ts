// The skew between the clock of a process and the database's: only what one query proves.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { clockSkew } from '../../../core/health/clock-skew.ts';

it('is the least difference that explains the answer: a slow answer proves nothing', () => {
  assert.equal(clockSkew(10, 12, 14), 0);
  assert.equal(clockSkew(10, 4, 14), 6, 'our clock is ahead');
  assert.equal(clockSkew(10, 20, 14), -6, 'our clock is behind');
});
