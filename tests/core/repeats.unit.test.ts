// What a log says of like events: one line a minute and kind, with the count of those that it passed over, however many kinds there are.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { Repeats } from '../../core/repeats.ts';

const second = 1_000_000;

it('says the first of a kind, and a minute later how many it passed over', () => {
  const repeats = new Repeats();
  assert.deepEqual(repeats.next('a', 0), { passed: 0 });
  assert.deepEqual(repeats.next('b', 0), { passed: 0 });
  for (let at = 1; at < 60; at += 1) assert.equal(repeats.next('a', at * second), null);
  assert.deepEqual(repeats.next('a', 60 * second), { passed: 59 });
  assert.equal(repeats.next('a', 61 * second), null);
  assert.deepEqual(repeats.next('b', 61 * second), { passed: 0 });
});

it('is not silenced by a clock that is set back', () => {
  const repeats = new Repeats();
  repeats.next('a', 3_600 * second);
  assert.deepEqual(repeats.next('a', 0), { passed: 0 });
});

it('says as little of a million kinds as of a thousand', () => {
  const repeats = new Repeats();
  let said = 0;
  for (let kind = 0; kind < 20_000; kind += 1) if (repeats.next(`kind ${kind}`, kind) !== null) said += 1;
  assert.equal(said, 1_001);
});
