// The log says of refused records one line a minute for each source and code, however many there are.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { DeadLetterTally } from '../../../ops/service/dead-letter-tally.ts';

function tallied() {
  const lines: unknown[][] = [];
  const world = { now: 0 };
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (_: string, fields?: Readonly<Record<string, unknown>>) =>
      void lines.push([fields?.source, fields?.code, fields?.letters]),
  };
  return { world, lines, tally: new DeadLetterTally({ now: () => world.now }, log) };
}
const letters = (source: string | null, code: string, number: number) => Array(number).fill({ source, code });

it('tells the first at once, and the others once a minute', () => {
  const { world, lines, tally } = tallied();
  tally.note([...letters('feed', 'bad-price', 3), ...letters(null, 'bad-record', 1)]);
  assert.deepEqual(lines.splice(0), [
    ['feed', 'bad-price', 3],
    [null, 'bad-record', 1],
  ]);
  for (world.now = 1_000_000; world.now < 60_000_000; world.now += 1_000_000)
    tally.note(letters('feed', 'bad-price', 10));
  assert.deepEqual(lines, []);
  tally.note(letters('other', 'bad-line', 1));
  assert.deepEqual(lines.splice(0), [
    ['feed', 'bad-price', 590],
    ['other', 'bad-line', 1],
  ]);
  tally.note([]);
  assert.deepEqual(lines, []);
});

it('counts the sources beyond a thousand, and those without a name, as one', () => {
  const { lines, tally } = tallied();
  tally.note(Array.from({ length: 3_000 }, (_, number) => ({ source: `s${number}`, code: 'bad-price' })));
  tally.note(letters('No Name!', 'bad-line', 2));
  assert.equal(lines.length, 1_002);
  assert.deepEqual(lines.slice(-2), [
    [null, 'bad-price', 2_000],
    [null, 'bad-line', 2],
  ]);
});
