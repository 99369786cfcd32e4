// The suite finds a client that is wrong: each lie of an adapter fails the case that is about it, and a suite that plays no case does not pass.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { conformanceCases } from '../../../../clients/conformance/runner/cases.ts';
import { CasePlayer } from '../../../../clients/conformance/runner/play.ts';
import { typescriptAdapter } from '../../../support/clients/adapters.ts';

const liar = fileURLToPath(new URL('../../../support/clients/lying-adapter.ts', import.meta.url));
const suite = fileURLToPath(new URL('../../../../clients/conformance/run.ts', import.meta.url));
const quiet = '--disable-warning=ExperimentalWarning';
const history = 'reads the final files of many games as one table, and lists the games without one';

describe('a client fails that answers', () => {
  for (const [lie, name, why] of [
    ['no odds', 'reads the odds of a game, with every parameter', /the odds/],
    ['one row again and again', 'reads the board of every sportsbook as one table', /the table/],
    ['one row again and again', history, /the table/],
    ['a row too many', history, /the table/],
    ['a row too many', 'reads a final file, of a version where one is given, and pays once for each', /the table/],
    ['another digest', 'proves every revision after a snapshot, deletions included', /the digest of revision 1/],
  ] as const) {
    it(`${lie}: ${name}`, async () => {
      const player = new CasePlayer([process.execPath, quiet, liar, lie]);
      const each = conformanceCases().flatMap(({ cases }) => cases.filter((one) => one.name === name))[0];
      await assert.rejects(player.play(each ?? assert.fail('no such case')), why);
    });
  }
});

describe('the suite', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [quiet, suite, ...args], { encoding: 'utf8' });

  it('does not pass where no case is played', () => {
    const { status, stderr } = run('--only', 'no such words', '--', ...typescriptAdapter);
    assert.equal(status, 2);
    assert.match(stderr, /no case has "no such words" in its name/);
  });

  it('names a program that is not there', () => {
    const { status, stdout } = run('--only', 'reads the board of every', '--', '/nowhere/adapter');
    assert.equal(status, 1);
    assert.match(stdout, /^FAILED .*ENOENT/m);
  });
});
