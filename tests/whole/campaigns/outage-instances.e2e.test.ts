// Claim: a data directory has one instance. The second one refuses at once, in one line that says who has it, with exit code 3, and disturbs
// nothing; when the first is gone, even by kill -9, the next one starts.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it } from 'vitest';
import { Program } from '../../support/campaigns/program.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';

describe('two instances on one data directory', () => {
  it('the second refuses with exit code 3, and starts when the first was killed', async () => {
    const dir = makeDataFolder('two');
    const environment = {
      SDS_DATA_DIR: dir,
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_EDITION: 'embedded',
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
    };
    const [first, second] = ['first', 'second'].map((name) => new Program(name, environment, { roles: ['all'] }));
    assert.ok(first !== undefined && second !== undefined);
    try {
      first.start();
      await first.untilReady();
      assert.ok(first.ready);
      const { pid } = first;
      second.start();
      await second.ended();
      const end = second.ends.at(-1);
      assert.equal(end?.code, 3, JSON.stringify(end));
      assert.match(end.last, new RegExp(`^sds: data directory .* is in use by another instance \\(pid ${pid}\\)`));
      assert.ok(first.ready, 'the first instance continues');
      await first.kill();
      second.start();
      await second.untilReady();
      assert.ok(second.ready, JSON.stringify(second.ends));
      second.terminate();
      await second.ended();
      assert.equal(second.ends.at(-1)?.code, 0);
    } finally {
      await first.kill();
      await second.kill();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
