// A browser that hangs, by a page that never answers or because it is stopped, fails its test by name and leaves no process.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { launchedBrowser, unlessHung } from '../../support/browser/hung-browser.ts';
import { freezeTree, processTree } from '../../support/processes/process-tree.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const chromium = await services.chromium();

describe('a browser that hangs', skipFor(chromium.skip), () => {
  for (const [how, isStopped] of [
    ['on a page that never answers', false],
    ['because it is stopped', true],
  ] as const) {
    it(`${how}: its test fails by name, by the call that hung, and it is killed`, async () => {
      const launched = await launchedBrowser(() => chromium.open());
      const left = () => processTree(process.pid).filter((pid) => launched.pids.includes(pid));
      const page = await launched.browser.newPage();
      assert.ok(left().length > 0);
      if (isStopped) await Promise.all(left().map(freezeTree));
      const running = unlessHung(
        'waits',
        async () => void (await page.evaluate('new Promise(() => {})')),
        launched.kill,
        300,
      );
      const error = await running.then(
        () => assert.fail('it ended'),
        (reason: Error) => reason,
      );
      assert.match(error.message, /^waits hung for 300 ms/);
      assert.match(String((error.cause as Error).message), /page\.evaluate/);
      await until('no process of it is left', () => left().length === 0);
      await launched.close();
    });
  }
});

describe('what does not hang', () => {
  it('is let end, or fail by its own error', async () => {
    const end = () => assert.fail('nothing is ended');
    await unlessHung('works', async () => {}, end, 10_000);
    const failure = new Error('as the test says');
    await assert.rejects(
      unlessHung('fails', () => Promise.reject(failure), end, 10_000),
      failure,
    );
  });
});
