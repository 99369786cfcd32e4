// The rate of refusals: one at a time per key, several keys in parallel, and a limited number in all.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openRefusalPace } from '../../../ingest/gateway/refusal-pace.ts';

it('lets the refusals of a key go out 50 ms apart, each key by itself', async () => {
  let now = 0;
  const slept: number[] = [];
  const pace = openRefusalPace({ now: () => now, sleep: async (ms) => void slept.push(ms) });
  for (const key of ['a', 'a', 'a', 'b', 'b']) await pace(key);
  assert.deepEqual(slept, [50, 100, 50]);
  now = 1_000_000;
  await pace('a');
  assert.deepEqual(slept, [50, 100, 50], 'earlier refusals add no delay');
});

it('keeps no more than some of a key waiting', async () => {
  const slept: number[] = [];
  const pace = openRefusalPace({ now: () => 0, sleep: async (ms) => void slept.push(ms) });
  for (let refusal = 0; refusal < 500; refusal += 1) await pace('a');
  assert.deepEqual([slept.length, Math.max(...slept)], [64, 64 * 50]);
});
