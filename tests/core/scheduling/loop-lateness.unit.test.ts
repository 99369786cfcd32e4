// What a key may have of a process, by how late that wakes.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { LoopLateness } from '../../../core/scheduling/loop-lateness.ts';

function after(lateBy: number, looks = 200): LoopLateness {
  const lateness = new LoopLateness();
  for (let look = 0; look < looks; look += 1) lateness.woke(lateBy);
  return lateness;
}

it('lets fewer pushes of a key be under way the later the process wakes, and always one', () => {
  assert.deepEqual(
    [0, 0.02, 0.1, 0.16, 0.6, 40].map((lateBy) => after(lateBy).atOnce),
    [16, 16, 3, 2, 1, 1],
  );
  assert.equal(new LoopLateness().atOnce, 16);
});

it('makes a key wait behind its push where the process is late, at most six times as long as that took', () => {
  assert.deepEqual(
    [0.3, 0.35, 0.7, 1.4, 100].map((lateBy) => Math.round(after(lateBy).restAfter(10))),
    [0, 0, 10, 30, 60],
  );
});

it('forgets within seconds, and follows no single look', () => {
  const lateness = after(50);
  for (let look = 0; look < 120; look += 1) lateness.woke(0);
  assert.ok(lateness.atOnce >= 3, `${lateness.atOnce}`);
  const once = after(0);
  once.woke(3);
  assert.ok(once.atOnce >= 2);
  for (let look = 0; look < 10; look += 1) once.woke(-5);
  assert.ok(once.atOnce >= 3, 'a timer that fires early is in time');
});
