// Turns at folding: between two runs of any partitions of a process there is a pause in which everybody else of it has a turn.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as pass } from 'node:timers/promises';
import { systemClock } from '../platform/process/clock.ts';
import { openFoldTurns } from '../projectors/worker/fold-turns.ts';

function spend(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('turns at folding', () => {
  it('are one for each pass of the event loop, in the order in which they were asked for', async () => {
    const turns = openFoldTurns(systemClock);
    const folded: number[] = [];
    let passes = 0;
    let sinceLast = 0;
    let most = 0;
    const fold = (partition: number) => () => {
      // Longer than a pause: those of the others are over by now.
      spend(5);
      folded.push(partition);
      // The very first is folded at once, in whatever pass that is.
      sinceLast += folded.length === 1 ? 0 : 1;
      most = Math.max(most, sinceLast);
    };
    let done = false;
    const looking = (async () => {
      for (; !done; passes += 1) {
        await pass();
        sinceLast = 0;
      }
    })();
    await Promise.all(
      [0, 1, 2, 3].map(async (partition) => {
        for (let run = 0; run < 4; run += 1) await turns(fold(partition), run === 0);
      }),
    );
    done = true;
    await looking;
    assert.equal(most, 1);
    assert.deepEqual(
      folded,
      [0, 1, 2, 3].flatMap(() => [0, 1, 2, 3]),
    );
    assert.ok(passes >= 16, `${passes} passes`);
  });

  it('come at once where nobody folds, and are handed on when a fold throws', async () => {
    const slept: number[] = [];
    const turns = openFoldTurns({ sleep: async (ms) => void slept.push(ms) });
    await turns(() => {}, true);
    assert.deepEqual(slept, []);
    const broken = turns(() => assert.fail('broken'), true);
    const next = turns(() => {}, true);
    await assert.rejects(broken, /broken/);
    await next;
    assert.deepEqual(slept, [0]);
    await turns(() => {}, false);
    await turns(() => {}, true);
    assert.deepEqual(slept, [0, 0]);
  });
});
