// Claim: readers wait for no other program of the process. A violation would need the API in the thread of the gateway and the projectors,
// which is held here for as long as the readers take.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { Program } from '../../support/campaigns/program.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { until } from '../../support/services/until.ts';

const folder = makeDataFolder('api-thread');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const preload = `--import=${new URL('../../support/processes/held-thread.ts', import.meta.url).href}`;

function environmentOf(name: string): Record<string, string> {
  const threads = join(folder, `${name}-threads`);
  mkdirSync(threads);
  return {
    SDS_EDITION: 'embedded',
    SDS_DATA_DIR: join(folder, name),
    SDS_READY_FILE: join(folder, `${name}.json`),
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    SDS_DEMO: 'off',
    DATABASE_URL: '',
    NODE_OPTIONS: preload,
    SDS_TEST_THREADS: threads,
  };
}

describe('the API beside other programs', () => {
  it('answers while the others hold their thread', async () => {
    const environment = environmentOf('held');
    const threads = environment.SDS_TEST_THREADS ?? '';
    const program = new Program('held', environment, { roles: ['all'] });
    program.start();
    try {
      await program.untilReady();
      const ready = JSON.parse(readFileSync(join(folder, 'held.json'), 'utf8')) as ReadyFile;
      process.kill(program.pid, 'SIGUSR2');
      await until('the main thread is held', () => existsSync(join(threads, 'held')));
      let isGatewayHeld = true;
      const pushed = fetch(`${ready.ingest_url}/health`).then(({ status }) => {
        isGatewayHeld = false;
        return status;
      });
      for (const path of ['/health', '/v1/me', '/v1/games', '/v1/leagues']) {
        const answer = await fetch(`${ready.api_url}${path}`, {
          headers: { authorization: `Bearer ${ready.api_key}` },
        });
        assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
      }
      assert.ok(isGatewayHeld, 'the main thread was held all the time');
      writeFileSync(join(threads, 'let-go'), '');
      assert.equal(await pushed, 200);
    } finally {
      writeFileSync(join(threads, 'let-go'), '');
      await program.kill();
    }
  });

  it.each(['api-thread.ts', 'put-thread.ts'])(
    'ends the process when the thread of %s breaks, and says why',
    async (thread) => {
      const name = `broken-${thread}`;
      const environment = environmentOf(name);
      const program = new Program(name, environment, { roles: ['all'] });
      program.start();
      try {
        await program.untilReady();
        writeFileSync(join(environment.SDS_TEST_THREADS ?? '', `break-${thread}`), '');
        await program.ended();
        const [end] = program.ends;
        assert.deepEqual([end?.by, end?.code], ['itself', 1], JSON.stringify(end));
        assert.equal(end?.last, 'sds: the test broke this thread');
        assert.deepEqual(readdirSync(join(folder, name, 'instances')), [], 'everything was closed properly');
        const unclean = program.said.filter(({ msg }) => msg === 'a component failed to stop cleanly');
        assert.deepEqual(unclean, [], 'the error is reported once');
      } finally {
        await program.kill();
      }
    },
  );
});
