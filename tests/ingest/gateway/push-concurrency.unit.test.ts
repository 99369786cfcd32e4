// How many pushes of several keys run at once while the process wakes in time, and while it wakes late.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { it } from 'vitest';
import { openPushConcurrency, type PushConcurrency } from '../../../ingest/gateway/push-concurrency.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const lookMs = 20;

/** Pushes that the test ends one after another. */
function pushesOf(concurrency: PushConcurrency) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    push(key: string, name: string): void {
      void concurrency.run(key, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await turn();
    },
  };
}

/** Two keys that push in a process whose timers fire `lateBy` ms late. */
async function openWoken(lateBy: number) {
  const clock = openManualClock(0);
  const concurrency = openPushConcurrency(clock);
  const pushes = pushesOf(concurrency);
  for (const key of ['few', 'many']) pushes.push(key, `${key} 0`);
  await turn();
  for (let look = 0; look < 200; look += 1) {
    clock.advance(lookMs + lateBy);
    await turn();
  }
  return { clock, concurrency, ...pushes };
}

it('lets a key that is alone have all of its pushes under way', async () => {
  const { begun, push } = pushesOf(openPushConcurrency(openManualClock(0)));
  for (let number = 0; number < 100; number += 1) push('many', `${number}`);
  await turn();
  assert.equal(begun.length, 100);
});

it('lets a key have 16 under way beside another while the process wakes in time', async () => {
  const { begun, push, end } = await openWoken(0);
  for (let number = 1; number <= 20; number += 1) push('many', `many ${number}`);
  await turn();
  assert.equal(begun.length, 1 + 16);
  await end('many 3');
  assert.deepEqual(begun.slice(17), ['many 16']);
});

it('lets pushes of a key go one by one while the process wakes late, and those of another key pass', async () => {
  const { clock, begun, push, end } = await openWoken(0.7);
  for (let number = 1; number <= 2; number += 1) push('many', `many ${number}`);
  await end('few 0');
  push('few', 'few 1');
  await turn();
  assert.deepEqual(begun, ['few 0', 'many 0', 'few 1']);
  // Nothing is due behind it, because it met no other of its key.
  await end('many 0');
  assert.deepEqual(begun.slice(3), ['many 1']);
  for (let look = 0; look < 200; look += 1) {
    clock.advance(lookMs + 0.7);
    await turn();
  }
  // It took 4.1 s and as long is due behind it, as the average lateness is twice the limit; half a second was saved before.
  await end('many 1');
  assert.equal(begun.length, 4);
  clock.advance(3_400);
  await turn();
  assert.equal(begun.length, 4);
  clock.advance(400);
  await turn();
  assert.deepEqual(begun.slice(4), ['many 2']);
});

it('lets two pushes that meet go one behind the other, however long the first took, time and again', async () => {
  const { clock, begun, push, end } = await openWoken(6);
  for (let pair = 1; pair <= 20; pair += 1) {
    push('two', `${pair} first`);
    push('two', `${pair} second`);
    await turn();
    clock.advance(900);
    await end(`${pair} first`);
    assert.equal(begun.at(-1), `${pair} second`);
    await end(`${pair} second`);
  }
});

it('lets a key that has paused push without a rest, and makes it rest once it no longer pauses', async () => {
  const { clock, begun, push, end } = await openWoken(0.7);
  const passLook = async (): Promise<void> => {
    clock.advance(lookMs + 0.7);
    await turn();
  };
  for (let number = 1; number <= 30; number += 1) push('seldom', `seldom ${number}`);
  await turn();
  // Each takes 20.7 ms and as long is due behind all but the first: half a second of pauses is enough for 24.
  for (let number = 1; number <= 25; number += 1) {
    await passLook();
    await end(`seldom ${number}`);
    assert.equal(begun.at(-1), `seldom ${number + 1}`);
  }
  await passLook();
  await end('seldom 26');
  assert.equal(begun.at(-1), 'seldom 26');
  await passLook();
  assert.equal(begun.at(-1), 'seldom 27');
});

it('lets what waits go when the other key has not pushed for ten seconds, and when it closes', async () => {
  for (const how of ['quiet', 'closed']) {
    const { clock, concurrency, begun, push, end } = await openWoken(6);
    for (let number = 1; number <= 9; number += 1) push('many', `many ${number}`);
    await turn();
    assert.equal(begun.length, 2);
    if (how === 'closed') concurrency.close();
    else await end('few 0');
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += lookMs + 6) {
        clock.advance(lookMs + 6);
        await turn();
      }
    };
    if (how === 'quiet') {
      await pass(9_900);
      assert.equal(begun.length, 2);
    }
    await pass(how === 'quiet' ? 200 : lookMs);
    assert.equal(begun.length, 11, how);
  }
});

it('passes on what a push throws, and lets the next one begin', async () => {
  const concurrency = openPushConcurrency(openManualClock(0));
  await assert.rejects(
    concurrency.run('a', () => Promise.reject(new Error('away'))),
    /away/,
  );
  assert.equal(await concurrency.run('a', () => Promise.resolve('done')), 'done');
});
