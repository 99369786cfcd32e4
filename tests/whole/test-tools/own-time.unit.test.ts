// Claim: limits counted in own time do not depend on the load of the machine: own time passes while the process waits, never faster than the
// clock, and stands still while the process cannot run. A violation would need a look that counts time in which none was possible.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { ownDelay, ownMs, undisturbed } from '../../support/processes/own-time.ts';

/** Blocks the thread, as a machine does that does not let it run. */
function interrupt(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('own time passes while the process waits, and no faster than the clock', async () => {
  await ownDelay(20);
  const [own, clock] = [ownMs(), performance.now()];
  await ownDelay(300);
  const passed = ownMs() - own;
  // The first check of the clock may have been some time ago.
  assert.ok(passed >= 300 && passed <= performance.now() - clock + 50, `${passed} ms`);
});

it('own time stands still while the process cannot run', async () => {
  await ownDelay(20);
  const own = ownMs();
  interrupt(400);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(ownMs() - own <= 150, `${ownMs() - own} ms`);
});

it('what was interrupted is done again', async () => {
  let times = 0;
  const work = async (): Promise<number> => {
    times += 1;
    if (times < 3) interrupt(400);
    await ownDelay(20);
    return times;
  };
  assert.ok((await undisturbed(work)) >= 3);
});
