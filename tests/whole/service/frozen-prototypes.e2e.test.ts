// The programs of the service, all in one process, and a command beside them, with every shared prototype frozen (SECURITY.md, S18): they need
// none to be writable, so nothing that is pushed can have put anything into one, and bodies that try are refused or kept as data. Tests of
// the API and the gateway in one process run so as well (support/vitest/before-each-file.ts).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { send } from '../../support/http/api-http.ts';
import { event, send as sendTo } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { leashProcess } from '../../support/services/leash.ts';
import { until } from '../../support/services/until.ts';

const entry = fileURLToPath(new URL('../../../ops/cli.ts', import.meta.url));
const preload = `--import=${new URL('../../support/processes/frozen-prototypes.ts', import.meta.url).href}`;

/** JSON that would change a prototype if it were merged into an object. */
const polluting = (body: object) =>
  JSON.stringify(body).replace(
    /\{/g,
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"x","hasOwnProperty":1,',
  );

describe('with frozen prototypes', () => {
  const folder = makeDataFolder('frozen');
  const readyFile = join(folder, 'ready.json');
  const environment = {
    SDS_DATA_DIR: join(folder, 'data'),
    SDS_READY_FILE: readyFile,
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    LOG_LEVEL: 'debug',
  };
  let ready: ReadyFile;
  let said = '';
  let stop = async () => {};

  beforeAll(async () => {
    const child = spawn(process.execPath, ['--disable-proto=delete', preload, entry, 'start'], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const unleash = leashProcess(child.pid ?? 0, 'KILL');
    stop = async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      unleash();
      rmSync(folder, { recursive: true, force: true });
    };
    await until('the service is ready', () => existsSync(readyFile) || child.exitCode !== null);
    assert.equal(child.exitCode, null, said.slice(-2_000));
    ready = JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile;
  });
  afterAll(() => stop());

  const push = (body: string) =>
    sendTo(`${ready.ingest_url}/v1/sources/feed/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.feed_key}`, 'content-type': 'application/json' },
      body,
    });
  const ask = (path: string) => send(ready.api_url, path, { key: ready.api_key });

  it('quotes come through the gateway, the log and the projectors to the API', async () => {
    const { status, body } = await push(JSON.stringify({ events: [event()] }));
    assert.deepEqual([status, body.accepted], [202, 1]);
    await until('the quotes are served', async () => {
      const { data } = (await ask('/v1/games')).json() as { data: { id: string }[] };
      return data[0] !== undefined && (await ask(`/v1/games/${data[0].id}/sportsbook-lines/board`)).status === 200;
    });
  });

  it('bodies that would write into a prototype are refused or kept as data', async () => {
    for (const text of [
      polluting({ events: [event()] }),
      polluting({ events: [] }),
      `{"events":[${polluting(event())}]}`,
      '{"__proto__":null}',
      '[]',
    ]) {
      const { status } = await push(text);
      assert.ok([202, 400].includes(status), `${status} for ${text.slice(0, 200)}`);
    }
    for (const query of ['__proto__=1', 'constructor=1', 'limit[__proto__]=1', 'toString=1'])
      assert.equal((await ask(`/v1/games?${query}`)).status, 400, query);
    assert.equal((await ask('/v1/games')).status, 200);
  });

  it('a command does what it does, and nothing in the log is a defect', async () => {
    const listed = await runSds({ ...environment, LOG_LEVEL: 'warn', NODE_OPTIONS: preload }, [
      'dlq',
      'list',
      '--json',
    ]);
    assert.equal(listed.code, 0, listed.err);
    assert.ok(Array.isArray((JSON.parse(listed.out) as { data: unknown }).data));
    assert.doesNotMatch(said, /TypeError|read.only|not extensible|a prototype must not be changed/);
  });
});

describe('what is loaded before', () => {
  const run = async (program: string) => {
    const child = spawn(process.execPath, [preload, '--input-type=module', '--eval', program], { stdio: 'pipe' });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  };
  for (const write of [
    'Object.prototype.polluted = 1',
    'Object.prototype.toString = 1',
    'Array.prototype.push = 1',
    'Object.assign(Object.prototype, { polluted: 1 })',
    'Function.prototype.call = null',
  ])
    it(`makes a defect of ${write}`, async () => {
      const { code, said } = await run(write);
      assert.equal(code, 1);
      assert.match(said, /TypeError/);
    });
  it('lets an object have of its own what its prototype has', async () => {
    const { code, said } = await run(
      'const own = {}; own.toString = () => "own"; if (String(own) !== "own") throw own;',
    );
    assert.deepEqual([code, said], [0, '']);
  });
});
