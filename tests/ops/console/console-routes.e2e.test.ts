// The console over HTTP (docs/operations.md#console): who gets it, from which process, what it allows a browser to do, and that its time
// and size are bounded even if the database fails.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, it } from 'vitest';
import { defaultFeedQuotas } from '../../../core/limits/feed-quotas.ts';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { type ConsoleUse, consoleRoutes } from '../../../ops/console/console-routes.ts';
import type { ConsoleState } from '../../../ops/console/console-state.ts';
import { openFacts } from '../../../ops/console/read-facts.ts';
import { openInternalListener } from '../../../ops/internal/internal-listener.ts';
import { ProcessState } from '../../../ops/internal/process-state.ts';
import { runningInstances } from '../../../ops/service/instance-file.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openOperationsCatalog } from '../../../platform/postgres/operations-catalog.ts';
import { openOverviewCatalog } from '../../../platform/postgres/overview-catalog.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { consoleFacts, openLog, partition, second } from '../../support/builders/console-facts.ts';
import { Program } from '../../support/campaigns/program.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { processEnvironment } from '../../support/processes/process-environment.ts';
import { freePort } from '../../support/services/ports.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const secret = 'an-example-of-24-letters';
const paths = ['/console', '/console/state.json'];
const loginWith = (password: string) => ({ authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}` });
const right = { headers: loginWith(secret) };
const stateOf = async (url: string) => (await (await fetch(`${url}/console/state.json`, right)).json()) as ConsoleState;
const checksOf = async (url: string) =>
  Object.fromEntries((await stateOf(url)).checks.map((check) => [check.id, check]));

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function listen(use: ConsoleUse, now = systemClock.now, log: Pick<Log, 'warn'> = silentLog): Promise<string> {
  const state = new ProcessState(['ticker'], 0);
  const listener = await openInternalListener(state, consoleRoutes(use, { now }, log), cutSlowReaders, silentLog);
  closings.push(() => listener.close());
  return (await listener.listen('127.0.0.1', 0)).url;
}

describe('the console', () => {
  it('is for the secret alone, and neither an answer nor its absence shows it', async () => {
    const url = await listen({ secret, facts: async () => consoleFacts() });
    for (const path of paths) {
      for (const headers of [{}, loginWith(`${secret}x`), { authorization: `Bearer ${secret}` }]) {
        const refused = await fetch(url + path, { headers });
        assert.equal(refused.status, 401, path);
        assert.equal(refused.headers.get('www-authenticate'), 'Basic realm="sds console", charset="UTF-8"');
        const text = await refused.text();
        assert.ok(text.includes('SDS_CONSOLE_SECRET') && !text.includes(secret), text);
      }
      const given = await fetch(url + path, right);
      assert.equal(given.status, 200, path);
      assert.equal(given.headers.get('cache-control'), 'no-store');
      assert.equal(given.headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.ok(!(await given.text()).includes(secret));
      const head = await fetch(url + path, { ...right, method: 'HEAD' });
      assert.deepEqual([head.status, await head.text()], [200, '']);
      assert.equal((await fetch(url + path, { ...right, method: 'POST' })).status, 404);
    }
    assert.equal((await fetch(`${url}/health`)).status, 200, 'other routes ask for no login');
  });

  it('looks at nothing more from an address that has sent ten wrong secrets within a minute, and logs that once', async () => {
    let time = 5 * second;
    const lines: unknown[][] = [];
    const log = { warn: (...line: unknown[]) => void lines.push(line) };
    const url = await listen({ secret, facts: async () => consoleFacts() }, () => time, log);
    const ask = async (headers: Record<string, string>, path = '/console/state.json') => {
      const { status, headers: fields } = await fetch(url + path, { headers });
      return [status, fields.get('retry-after')];
    };
    for (let time = 0; time < 50; time += 1)
      assert.deepEqual(await ask({}), [401, null], 'a request without a login does not count as a guess');
    for (let guess = 0; guess < 9; guess += 1) assert.deepEqual(await ask(loginWith(`guess ${guess}`)), [401, null]);
    assert.deepEqual(await ask(loginWith(secret)), [200, null], 'a correct login after a mistyped one is let in');
    time += 10 * second;
    assert.deepEqual(await ask({ authorization: 'Bearer x' }, '/console'), [401, null]);
    for (const password of ['another guess', secret])
      for (const path of paths) assert.deepEqual(await ask(loginWith(password), path), [429, '50']);
    assert.deepEqual(await ask({}), [401, null]);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    time += 51 * second;
    assert.deepEqual(await ask(loginWith(secret)), [200, null]);
    assert.deepEqual(lines, [['wrong secrets for the console', { secrets: 1, last_from: 'address 127.0.0.1' }]]);
    await ask(loginWith('guess'));
    assert.deepEqual(lines.slice(1), [
      ['wrong secrets for the console', { secrets: 10, last_from: 'address 127.0.0.1' }],
    ]);
    assert.ok(!JSON.stringify(lines).includes('guess'));
  });

  it('is off without a secret, and says how to turn it on', async () => {
    const url = await listen({ off: 'set SDS_CONSOLE_SECRET' });
    for (const path of paths) {
      const absent = await fetch(url + path, right);
      assert.equal(absent.status, 404);
      assert.match(await absent.text(), /"detail":"set SDS_CONSOLE_SECRET"/);
    }
  });

  it('lets a browser run the script that stands in it and ask its own listener, and nothing else', async () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&';
    const facts = consoleFacts({
      streams: { answer: [partition({ halted: hostile })] },
      openLogs: { answer: [openLog(hostile, { [hostile]: second })] },
    });
    const response = await fetch(`${await listen({ secret, facts: async () => facts })}/console`, right);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    const directives = (response.headers.get('content-security-policy') ?? '').split('; ');
    assert.match(directives.find((each) => each.startsWith('script-src')) ?? '', /^script-src 'sha256-[\w+/]{43}='$/);
    assert.match(directives.find((each) => each.startsWith('style-src')) ?? '', /^style-src 'sha256-[\w+/]{43}='$/);
    assert.deepEqual(
      directives.filter((each) => !/^(script|style)-src/.test(each)),
      [
        ...["default-src 'none'", 'img-src data:', "require-trusted-types-for 'script'", "trusted-types 'none'"],
        ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
      ],
    );
    const text = await response.text();
    assert.doesNotMatch(text, /<iframe|<img|javascript:| style=|@import|url\(|https?:\/\/(?!www\.w3\.org)/i);
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script type="module">']);
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;'));
  });

  it('is less than 40 KB of a usual service, and bounded of any', async () => {
    const sizeOf = async (facts = consoleFacts()) => {
      const page = await fetch(`${await listen({ secret, facts: async () => facts })}/console`, right);
      return (await page.arrayBuffer()).byteLength;
    };
    const books = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`B${at}`, second]));
    const partitions = (count: number) => Array.from({ length: count }, (_, at) => partition({ partition: at }));
    const usual = consoleFacts({
      streams: { answer: partitions(24) },
      openLogs: { answer: [openLog('MLB_BOS_NYY_20260805', books(40))] },
    });
    assert.ok((await sizeOf(usual)) < 40_000, `${await sizeOf(usual)} bytes`);
    const large = consoleFacts({
      streams: { answer: partitions(2_000) },
      openLogs: { answer: [openLog('MLB_BOS_NYY_20260805', books(400))] },
    });
    assert.ok((await sizeOf(large)) < 60_000, `${await sizeOf(large)} bytes`);
  });

  it('reads its facts only while somebody asks, and once a second at most', async () => {
    let [read, time] = [0, 5 * second];
    const reading = Promise.withResolvers<void>();
    const facts = async () => {
      read += 1;
      await reading.promise;
      return consoleFacts();
    };
    const url = await listen({ secret, facts }, () => time);
    await fetch(`${url}/console`);
    assert.equal(read, 0, 'without the secret nothing is read');
    const asking = paths.map(async (path) => (await fetch(url + path, right)).arrayBuffer());
    await until('it is read', () => read === 1);
    reading.resolve();
    await Promise.all(asking);
    await stateOf(url);
    assert.equal(read, 1);
    time += second;
    await stateOf(url);
    assert.equal(read, 2);
  });

  it('goes on where the database is away: what it cannot know is unknown, and why', async () => {
    const sql = openPool({ connection: 'postgres://sds@127.0.0.1:1/none', maxConnections: 3 });
    closings.push(() => sql.close());
    const facts = openFacts({
      ...{ overview: openOverviewCatalog(sql), operations: openOperationsCatalog(sql), live: openLiveCatalog(sql) },
      health: {
        reasons: () => [{ name: 'catalog', since: 0, detail: 'away', seenBy: ['ticker'] }],
        lookers: () => new Set(['ticker']),
        facts: () => null,
      },
      ...{ quotas: defaultFeedQuotas, clock: systemClock },
    });
    const url = await listen({ secret, facts });
    const { catalog, ...others } = await checksOf(url);
    assert.equal(catalog?.state, 'warn');
    assert.match(catalog?.what ?? '', /ECONNREFUSED/);
    for (const [id, { state, what }] of Object.entries(others)) assert.equal(state, 'unknown', `${id}: ${what}`);
    assert.match(others.dead_letters?.what ?? '', /ECONNREFUSED/);
    assert.equal((await fetch(`${url}/console`, right)).status, 200);
  });

  it('shows the parts that answer beside one that hangs', async () => {
    const sql = openPool({ connection: 'postgres://sds@127.0.0.1:1/none', maxConnections: 1 });
    closings.push(() => sql.close());
    const overview = openOverviewCatalog(sql);
    const hangs = () => new Promise<never>(() => {});
    const facts = openFacts({
      overview: {
        ...overview,
        openDeadLetters: hangs,
        openLogs: async () => [],
        unsettled: async () => ({ games: 0, since: null, again: 0 }),
      },
      operations: openOperationsCatalog(sql),
      live: { now: async () => systemClock.now() },
      health: {
        reasons: () => [],
        lookers: () => new Set(['ticker']),
        facts: () => ({ streams: [], tickAge: 0, skew: 0, outbox: null }),
      },
      quotas: defaultFeedQuotas,
      // Only the limit of patience sleeps.
      clock: { now: systemClock.now, sleep: (_ms, signal) => systemClock.sleep(50, signal) },
    });
    const checks = await checksOf(await listen({ secret, facts }));
    assert.deepEqual(
      ['dead_letters', 'feeds', 'settlement', 'log'].map((id) => checks[id]?.state),
      ['unknown', 'ok', 'ok', 'ok'],
    );
    assert.equal(checks.dead_letters?.what, 'no answer within 3000 ms');
  });
});

const postgres = await services.postgres();
const dir = makeDataFolder('console');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const environmentOf = (name: string, database: string) => ({
  ...processEnvironment(database, join(dir, name)),
  SDS_CONSOLE_SECRET: secret,
});

describe('the console of a process', skipFor(postgres.skip), () => {
  it('shows the service in a role that writes; an API alone says which other has it', async () => {
    const database = await postgres.createDatabase();
    const start = (name: string) => new Program(name, environmentOf(name, database.url), { roles: [name] });
    const [ticker, api] = ['ticker', 'api'].map(start) as [Program, Program];
    const urlOf = (name: string) => runningInstances(join(dir, name))[0]?.internal_url ?? '';
    try {
      ticker.start();
      await ticker.untilReady();
      api.start();
      await api.untilReady();
      const url = urlOf('ticker');
      assert.equal((await fetch(`${url}/console`)).status, 401);
      await until('it has looked', async () => (await checksOf(url)).log?.state === 'ok');
      const { partitions, objects, ratelimit, ...checks } = await checksOf(url);
      assert.deepEqual([partitions?.state, partitions?.what], ['warn', 'no projector has ever begun']);
      const unchecked = 'no process checks it: none has the role';
      assert.deepEqual([objects?.state, objects?.what], ['unknown', `${unchecked} ingest or projectors`]);
      assert.deepEqual([ratelimit?.state, ratelimit?.what], ['unknown', `${unchecked} ingest`]);
      for (const [id, { state, what }] of Object.entries(checks)) assert.equal(state, 'ok', `${id}: ${what}`);
      const absent = await fetch(`${urlOf('api')}/console`, right);
      assert.equal(absent.status, 404);
      assert.match(await absent.text(), /an API alone.*another role/);
    } finally {
      for (const program of [ticker, api]) await program.kill();
      await database.drop();
    }
  });

  it('knows nothing, and says so, while the process waits for its database', async () => {
    const port = await freePort();
    const environment = {
      ...environmentOf('waits', 'postgres://sds@127.0.0.1:1/none'),
      SDS_INTERNAL_PORT: String(port),
    };
    const waits = new Program('waits', environment, { roles: ['projectors'] });
    const url = `http://127.0.0.1:${port}`;
    try {
      waits.start();
      await until('it answers', async () => (await fetch(`${url}/health`)).ok);
      const checks = Object.values(await checksOf(url));
      assert.deepEqual(
        new Set(checks.map(({ state, what }) => `${state}: ${what}`)),
        new Set(['unknown: this process waits for what it depends on; its log says for what']),
      );
    } finally {
      await waits.kill();
    }
  });
});
