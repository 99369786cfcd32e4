// The seconds of the RateLimit fields and of Retry-After (docs/interface.md#response-headers): enough to wait, and never more than the window
// of the policy.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { rateLimitFields, retryAfterSeconds } from '../../../api/http/rate-limit-fields.ts';

const window = { ms: 60_000, name: 'minute', inWords: 'a minute' };

const table: readonly (readonly [resetMs: number, seconds: number, retryAfter: number])[] = [
  [0, 0, 1],
  [0.4, 1, 1],
  [1, 1, 1],
  [1_000, 1, 1],
  [1_002, 2, 2],
  [33_000, 33, 33],
  [59_999.2, 60, 60],
  [60_000, 60, 60],
  // An admission counts from the end of its millisecond.
  [60_000.7, 60, 60],
  [60_001, 60, 60],
];

for (const [resetMs, seconds, retryAfter] of table) {
  it(`${resetMs} ms are t=${seconds}`, () => {
    const admission = { admitted: true, limit: 300, remaining: 12, window, resetMs };
    const fields = rateLimitFields(admission);
    assert.equal(fields[fields.indexOf('RateLimit') + 1], `"minute";r=12;t=${seconds}`);
    assert.equal(fields[fields.indexOf('RateLimit-Reset') + 1], String(seconds));
    assert.equal(retryAfterSeconds(admission), retryAfter);
  });
}
