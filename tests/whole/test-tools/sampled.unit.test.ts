// What a run leaves out by its seed is run by `npm run proof`: no file can leave anything out without being among those that proof runs whole.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { sampledFiles } from '../../support/campaigns/sampled-files.ts';
import { turns } from '../../support/campaigns/turns.ts';
import { takenOf } from '../../support/vitest/sampled.ts';

const leavesOut =
  /\b(?:leftOut|caseLeftOut|eveningLeftOut|sampledEditions|outOfTurn|caseOutOfTurn|inBrowsers|mayBuildTools)\(/;
/** Proof runs the cases of all pure files in one episode. */
const isPure = /\.(?:unit|prop|sim)\.test\.ts$/;

const root = new URL('../../../', import.meta.url);

it('every file that leaves something out is run whole by proof, and no other', () => {
  const files = readdirSync(new URL('tests/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(new URL(`tests/${file}`, root), 'utf8');
      return leavesOut.test(text) || (!isPure.test(file) && /\bcases\(/.test(text));
    })
    .map((file) => `tests/${file}`);
  assert.deepEqual(files.sort(), [...sampledFiles].sort());
  assert.match(readFileSync(new URL('tests/proof.ts', root), 'utf8'), /\.\.\.sampledFiles\b/);
});

it('the seeds of a file take turns, and so do the files of a seed', () => {
  const all = ['one', 'two', 'three'];
  const bySeed = Array.from({ length: 300 }, (_, seed) => takenOf(all, 'a.test.ts', String(seed)));
  const byFile = Array.from({ length: 300 }, (_, number) => takenOf(all, `${number}.test.ts`, '1'));
  for (const taken of [bySeed, byFile])
    for (const each of all) assert.ok(taken.filter((one) => one === each).length > 60, each);
  assert.equal(takenOf(all, 'a.test.ts', '7'), takenOf(all, 'a.test.ts', '7'));
});

it('every file that takes turns is one of one list, and no other does', () => {
  const files = sampledFiles.filter((file) => /\boutOfTurn\(/.test(readFileSync(new URL(file, root), 'utf8')));
  assert.deepEqual(turns.flat(2).sort(), [...files].sort());
});
