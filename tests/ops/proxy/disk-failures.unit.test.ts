// What the log says of a disk that fails at each answer.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openDiskFailures } from '../../../ops/proxy/disk-failures.ts';

it('has the first failure of the proxy’s disk at once, and one a minute of the others, with their number', () => {
  const told: unknown[] = [];
  let now = 5_000;
  const failed = openDiskFailures({ error: (_, fields) => told.push(fields) }, () => now);
  const full = new Error('ENOSPC: no space left on device, write');
  for (const at of [5_000, 5_001, 64_999, 65_000, 65_001, 300_000]) {
    now = at;
    failed(full);
  }
  const error = String(full);
  assert.deepEqual(told, [
    { error, failures: 1 },
    { error, failures: 3 },
    { error, failures: 2 },
  ]);
});
