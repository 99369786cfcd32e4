// Time slices: partitions that fold and encode at the same time alternate, and the event loop runs between two slices.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import { describe, it } from 'vitest';
import type { Task } from '../../../core/scheduling/task.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openTimeSlices } from '../../../projectors/worker/time-slices.ts';

function spend(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function* once<Result>(work: () => Result): Task<Result> {
  yield;
  return work();
}

describe('runTask at work', () => {
  it('hold the event loop for one step that is as long as a slice, and go round', async () => {
    const runTask = openTimeSlices(systemClock);
    const done: number[] = [];
    let passes = 0;
    let sinceLast = 0;
    let most = 0;
    function* work(partition: number): Task<number> {
      for (let step = 0; step < 4; step += 1) {
        spend(5);
        done.push(partition);
        // The very first slice runs at once, in any turn.
        sinceLast += done.length === 1 ? 0 : 1;
        most = Math.max(most, sinceLast);
        yield;
      }
      return partition;
    }
    let isOver = false;
    const looking = (async () => {
      for (; !isOver; passes += 1) {
        await pass();
        sinceLast = 0;
      }
    })();
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map((partition) => runTask(work(partition)))), [0, 1, 2, 3]);
    isOver = true;
    await looking;
    assert.equal(most, 1);
    // The first was running before the others came.
    for (const from of [1, 5, 9]) assert.deepEqual(done.slice(from, from + 4), [0, 1, 2, 3]);
    assert.ok(passes >= 16, `${passes} passes`);
  });

  it('take short steps together, as many as a slice holds', async () => {
    let now = 0;
    const slept: number[] = [];
    const runTask = openTimeSlices({ now: () => now, sleep: async (ms) => void slept.push(ms) });
    const taken: number[] = [];
    await runTask(
      (function* () {
        for (let step = 0; step < 9; step += 1) {
          now += 500;
          taken.push(slept.length);
          yield;
        }
      })(),
    );
    assert.deepEqual(taken, [0, 0, 0, 0, 1, 1, 1, 1, 2]);
  });

  it('begin at once if no task runs, and continue after a task that throws', async () => {
    const runTask = openTimeSlices({ now: () => 0, sleep: async () => {} });
    let begun = false;
    const first = runTask(
      once(() => {
        begun = true;
      }),
    );
    assert.ok(begun);
    const broken = runTask(once(() => assert.fail('broken')));
    const next = runTask(once(() => 'done'));
    await first;
    await assert.rejects(broken, /broken/);
    assert.equal(await next, 'done');
  });
});
