// A command of the console says to a shell exactly its words, whatever they hold.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'vitest';
import { isPlainText, sdsCommand } from '../../../ops/console/sds-command.ts';

it('is read by a shell as its words', () => {
  const words = ['dlq', '--source', 'a b', "it's", '$HOME', '`id`', '$(id)', 'a;b', '*', '~', '"', '\\', '!', 'é', ''];
  const command = sdsCommand(...words);
  const shown = execFileSync('sh', ['-c', command.replace('./sds', "printf '%s\\n'")], { encoding: 'utf8' });
  assert.deepEqual(shown.split('\n').slice(0, -1), words);
});

it('leaves plain words as they are', () => {
  assert.equal(sdsCommand('games', 'show', 'MLB_BOS_NYY_20260805'), './sds games show MLB_BOS_NYY_20260805');
});

it('is not made of text that hides what it is', () => {
  assert.ok(isPlainText("any söurce; 'quoted' $1"));
  for (const hidden of ['a\nb', 'a\u001b[2Kb', 'a\u202eb', 'a\u200bb', '\u2028'])
    assert.ok(!isPlainText(hidden), hidden);
});
