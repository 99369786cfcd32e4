// The keys of a real service through its routes and its push gateway, well-formed and malformed, while its database is there and while it is
// frozen: no line of its log has anything of a key, and no answer says what is inside. The same over every route on fakes: api/pipeline/canary.e2e.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { send, sendRaw } from '../../support/http/api-http.ts';
import { assertSilent, hostileRequests, textOf } from '../../support/http/canary.ts';
import { routeExamples } from '../../support/http/every-route.ts';
import { event } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { freezeTree, processTree, signalTree } from '../../support/processes/process-tree.ts';
import { leashProcess } from '../../support/services/leash.ts';
import { until } from '../../support/services/until.ts';

const entry = fileURLToPath(new URL('../../../ops/cli.ts', import.meta.url));

describe('the keys of a running service', () => {
  let ready: ReadyFile;
  let said = '';
  let pid = 0;
  let stop = async () => {};

  beforeAll(async () => {
    const folder = makeDataFolder('canary');
    const readyFile = join(folder, 'ready.json');
    const child = spawn(process.execPath, [entry, 'start'], {
      env: {
        ...process.env,
        SDS_DATA_DIR: join(folder, 'data'),
        SDS_READY_FILE: readyFile,
        SDS_API_PORT: '0',
        SDS_INGEST_PORT: '0',
        SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
        SDS_FEED_LIMITS: 'requests:1000000,bytes:100000000000,elements:1000000000',
        LOG_LEVEL: 'debug',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    pid = child.pid ?? 0;
    const unleash = leashProcess(pid, 'KILL');
    stop = async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      unleash();
      rmSync(folder, { recursive: true, force: true });
    };
    await until('the service is ready', () => existsSync(readyFile) || child.exitCode !== null);
    ready = JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile;
  });
  afterAll(() => stop());

  async function askAll(): Promise<Set<number>> {
    const { api_url: url, api_key: key, feed_key: feedKey, ingest_url: gateway } = ready;
    const statuses = new Set<number>();
    const ask = async (to: string, path: string, options: Parameters<typeof send>[2], secret: string) => {
      // The connection may end before the sender has read the answer if the server did not read the body.
      const reply = await send(to, path, options).catch((error: NodeJS.ErrnoException) => {
        if (options.method === 'POST' && error.code === 'ECONNRESET') return null;
        throw new Error(`${options.method ?? 'GET'} ${to}${path}`, { cause: error });
      });
      if (reply === null) return;
      statuses.add(reply.status);
      assertSilent(`${reply.status} of ${path}`, textOf(reply), secret, reply.status >= 400);
    };
    // A third of the requests goes to each route, the next third to the next one.
    const requests = routeExamples.flatMap(({ path }, at) =>
      hostileRequests(path, key).filter((_, index) => index % 3 === at % 3),
    );
    for (let at = 0; at < requests.length; at += 400) {
      await Promise.all(requests.slice(at, at + 400).map((one) => ask(url, one.path, one.options, key)));
    }
    for (const { path } of routeExamples) await ask(url, path, { key: feedKey }, feedKey);
    for (const path of ['/v1/sources/feed/quotes', '/v1/sources/feed/reference', '/v1/receipts/none', '/health']) {
      const requests = hostileRequests(path, feedKey).filter((_, index) => index % 5 === 0);
      await Promise.all(requests.map((one) => ask(gateway, one.path, one.options, feedKey)));
      await ask(gateway, path, { key, method: 'POST' }, key);
    }
    const bodies = [
      JSON.stringify({ events: [event({ operator: feedKey, game: { league: feedKey } })], [feedKey]: feedKey }),
      `{"events": ["${feedKey}" ${key}`,
      JSON.stringify({
        events: [event({ kind: key, quotes: [{ market: feedKey, selection: '; drop table games' }] })],
      }),
    ];
    for (const body of bodies) {
      const response = await fetch(`${gateway}/v1/sources/feed/quotes`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${feedKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      });
      statuses.add(response.status);
      await response.text();
    }
    const malformed = [
      `GET /${key} HTTP/9\r\n\r\n`,
      `${key} / HTTP/1.1\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`,
      `GET /%ZZ${key} HTTP/1.1\r\nHost: ${key}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.repeat(300)}\r\n\r\n`,
      `CONNECT ${key}:80 HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\nX: ${key}\r\n\r\nab`,
    ];
    for (const bytes of malformed) {
      for (const to of [url, gateway]) assertSilent(bytes.slice(0, 40), await sendRaw(to, bytes), key, true);
    }
    return statuses;
  }

  function assertLogIsSilent(): void {
    assert.ok(said.length > 0);
    for (const line of said.split('\n')) {
      for (const key of [ready.api_key, ready.feed_key]) assertSilent('a line of the log', line, key, false);
      assert.doesNotMatch(line, /drop table|etc\/passwd|pg_sleep/, 'a line of the log repeats what a client sent');
    }
  }

  it('are nowhere while all is well', async () => {
    const statuses = await askAll();
    for (const status of [200, 400, 401, 404, 405]) assert.ok(statuses.has(status), `${status}`);
    assert.ok(![...statuses].some((status) => status >= 500), [...statuses].join(' '));
    assertLogIsSilent();
  });

  it('are nowhere while the database is frozen, and after', async () => {
    const servers = processTree(pid).filter((each) => each !== pid);
    assert.ok(servers.length > 0);
    await Promise.all(servers.map(freezeTree));
    try {
      const statuses = await askAll();
      assert.ok(statuses.has(503), [...statuses].join(' '));
    } finally {
      for (const server of servers) signalTree(server, 'SIGCONT');
    }
    await until(
      'the service is well again',
      async () => (await send(ready.api_url, '/v1/games', { key: ready.api_key })).status === 200,
    );
    assertLogIsSilent();
  });
});
