// Claim: of two runs that fill one folder the second is refused; what an ended run left is removed, and nothing else ever is.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'vitest';
import { beginUnfinished } from '../../../ops/backup/unfinished-folder.ts';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sds-unfinished-'));
  folder = join(home, 'new', 'kept.part');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('is one process’s at a time, and loses its mark when it is finished', () => {
  const first = beginUnfinished(folder);
  writeFileSync(join(folder, 'rows'), 'of the first');
  assert.throws(() => beginUnfinished(folder), /another process fills .*kept\.part now: wait for it/);
  assert.deepEqual(readdirSync(folder).toSorted(), ['.unfinished', 'rows']);
  first.finish();
  first.leave();
  assert.deepEqual(readdirSync(folder), ['rows']);
});

it('is emptied when an ended run has left it', () => {
  const ended = beginUnfinished(folder);
  writeFileSync(join(folder, 'rows'), 'of the ended one');
  ended.leave();
  beginUnfinished(folder).finish();
  assert.deepEqual(readdirSync(folder), []);
});

it('is left alone when something else is in it', () => {
  mkdirSync(join(folder, 'mine'), { recursive: true });
  assert.throws(() => beginUnfinished(folder), /exists, and is not left over from an ended run/);
  assert.ok(existsSync(join(folder, 'mine')));
});
