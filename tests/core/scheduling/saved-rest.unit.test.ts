// What a key still has to wait for of its rest.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { SavedRest } from '../../../core/scheduling/saved-rest.ts';

it('lets a key wait for what it has not saved, and never longer than the rest of its last push', () => {
  const saved = new SavedRest(0);
  assert.equal(saved.waitAfter(20, 400, 20), 0);
  assert.equal(saved.waitAfter(20, 200, 40), 100);
  assert.equal(saved.waitAfter(20, 120, 160), 120);
  assert.equal(saved.waitAfter(900, 30, 1_060), 30);
});

it('counts pauses as rest, up to half a second', () => {
  const saved = new SavedRest(0);
  assert.equal(saved.waitAfter(10, 900, 10), 400);
  assert.equal(saved.waitAfter(10, 100, 470), 50);
  assert.equal(saved.waitAfter(10, 501, 60_000), 1);
});

it('takes nothing of a key where no rest is due', () => {
  const saved = new SavedRest(0);
  for (let now = 10; now < 5_000; now += 10) assert.equal(saved.waitAfter(10, 0, now), 0);
  assert.equal(saved.waitAfter(0, 500, 5_000), 0);
});
