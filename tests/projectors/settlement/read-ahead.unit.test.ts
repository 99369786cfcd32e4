// Reads started ahead: results come in order, a limited number runs at once, and a failure is reported in its place.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { it } from 'vitest';
import { readAhead } from '../../../projectors/settlement/read-ahead.ts';

it('gives everything in order, whichever read is done first', async () => {
  let underWay = 0;
  let most = 0;
  const read = async (item: number) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await delay(item % 3);
    underWay -= 1;
    return item * 10;
  };
  const items = Array.from({ length: 20 }, (_, index) => index);
  assert.deepEqual(
    await Array.fromAsync(readAhead(items, 4, read)),
    items.map((item) => item * 10),
  );
  assert.equal(most, 5);
  assert.deepEqual(await Array.fromAsync(readAhead([], 4, read)), []);
});

it('fails where it is the turn of the read that failed, and not where the reader stops before', async () => {
  const read = async (item: number) => {
    if (item >= 2) throw new Error(`no item ${item}`);
    return item;
  };
  const given: number[] = [];
  await assert.rejects(async () => {
    for await (const item of readAhead([0, 1, 2, 3], 3, read)) given.push(item);
  }, /no item 2/);
  assert.deepEqual(given, [0, 1]);
  for await (const item of readAhead([0, 1, 2, 3], 3, read)) if (item === 0) break;
  await delay(5);
});
