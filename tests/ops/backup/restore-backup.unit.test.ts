// Claim: a restore replaces nothing: files that appear in the data directory meanwhile, such as those of a service started there, stay.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'vitest';
import { contentsOf, isMount, takePlace } from '../../../ops/backup/restore-backup.ts';

let folder: string;
let [aside, dataDir] = ['', ''];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sds-restore-'));
  [aside, dataDir] = [join(folder, 'data.restoring'), join(folder, 'data')];
  mkdirSync(aside);
  writeFileSync(join(aside, 'restored'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('takes the place of an absent and of an empty directory', () => {
  takePlace(aside, dataDir);
  assert.ok(existsSync(join(dataDir, 'restored')));
  mkdirSync(aside);
  rmSync(join(dataDir, 'restored'));
  takePlace(aside, dataDir);
  assert.ok(!existsSync(aside));
});

it('leaves a directory alone that is not empty any more', () => {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'acknowledged'), 'rows');
  assert.throws(() => takePlace(aside, dataDir), /is not empty \(acknowledged\) by now/);
  assert.equal(readFileSync(join(dataDir, 'acknowledged'), 'utf8'), 'rows');
  assert.ok(existsSync(join(aside, 'restored')));
});

it('says what is in the place', () => {
  assert.equal(contentsOf(dataDir), null);
  mkdirSync(dataDir);
  assert.equal(contentsOf(dataDir), null);
  for (const name of 'abcdefg') writeFileSync(join(dataDir, name), '');
  assert.match(contentsOf(dataDir) ?? '', /^is not empty \(\w, \w, \w, \w, \w and 2 more\)$/);
  assert.equal(contentsOf(join(dataDir, 'a')), 'is a file');
});

it('knows where a file system begins, which no directory can replace', () => {
  assert.equal(isMount('/proc'), process.platform === 'linux');
  assert.deepEqual([isMount(folder), isMount(dataDir)], [false, false]);
});
