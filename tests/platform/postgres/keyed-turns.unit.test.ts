// Work in turns between those whose it is: one at a time, and what fails, however early, keeps no other from its turn.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { openKeyedTurns } from '../../../platform/postgres/keyed-turns.ts';

it('goes on behind work that throws before it begins', async () => {
  const turns = openKeyedTurns();
  const failing = turns('a', () => {
    throw new Error('not begun');
  });
  const other = turns('b', async () => 'done');
  await assert.rejects(failing, /not begun/);
  assert.equal(await other, 'done');
});

it('takes one of each key after the other', async () => {
  const turns = openKeyedTurns();
  const begun: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    begun.push(name);
  };
  await Promise.all([turns('a', work('a1')), turns('a', work('a2')), turns('a', work('a3')), turns('b', work('b1'))]);
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
});
