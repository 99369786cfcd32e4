// Runs work one at a time and alternates between keys; work that fails, however early, does not block the others.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openFairMutex } from '../../../platform/postgres/fair-mutex.ts';

it('goes on behind work that throws before it begins', async () => {
  const mutex = openFairMutex();
  const failing = mutex('a', () => {
    throw new Error('not begun');
  });
  const other = mutex('b', async () => 'done');
  await assert.rejects(failing, /not begun/);
  assert.equal(await other, 'done');
});

it('takes one of each key after the other', async () => {
  const mutex = openFairMutex();
  const begun: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    begun.push(name);
  };
  await Promise.all([mutex('a', work('a1')), mutex('a', work('a2')), mutex('a', work('a3')), mutex('b', work('b1'))]);
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
});
