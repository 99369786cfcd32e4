// The stored data contains none of the service's secrets (SECURITY.md, S2): no minted key in any form, wherever a client presents it; no
// Idempotency-Key; and no pepper outside its own file. The test searches a dump of the database, every file of the data directory and the
// log. Bodies are an exception: refused parts are stored unchanged.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { macOfKey } from '../../../core/access/key-format.ts';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { readOrMakePeppers } from '../../../ops/service/peppers.ts';
import { embeddedConnection } from '../../../platform/postgres/embedded.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { twoEditions } from '../../support/editions/two-editions.ts';
import { send } from '../../support/http/api-http.ts';
import { hostileRequests } from '../../support/http/canary.ts';
import { event, send as push } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { dumpOf } from '../../support/services/database-dump.ts';
import { leashProcess } from '../../support/services/leash.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const entry = fileURLToPath(new URL('../../../ops/cli.ts', import.meta.url));
const idempotencyKey = 'an-order-of-our-best-customer-4711';

type Keys = { api: string; feed: string };

/** Presents the keys in the right and in wrong places, and pushes quotes under an Idempotency-Key. */
async function use({ apiUrl, ingestUrl }: { apiUrl: string; ingestUrl: string }, { api, feed }: Keys): Promise<void> {
  for (const path of ['/v1/games', '/v1/me', '/health'])
    for (const { path: target, options } of hostileRequests(path, api)) await send(apiUrl, target, options);
  for (const { path, options } of hostileRequests('/v1/receipts/none', feed)) {
    if (options.method !== 'POST') await send(ingestUrl, path, options);
  }
  for (const key of [idempotencyKey, feed, api]) {
    const { status, body } = await push(`${ingestUrl}/v1/sources/feed/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${feed}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ events: [event(), event({ kind: 'nonsense' })] }),
    });
    assert.equal(status, 202);
    await until('the push is applied', async () => {
      const found = await push(`${ingestUrl}/v1/receipts/${body.receipt}`, {
        headers: { authorization: `Bearer ${feed}` },
      });
      return found.body.state === 'applied';
    });
  }
}

/** The forms in which a secret could be stored; for a key, without the part that may be shown. */
function formsOf(secret: string | Uint8Array): Buffer[] {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : Buffer.from(secret);
  const hex = bytes.toString('hex');
  const shown = /^svc_(?:live|feed)_/.test(bytes.toString());
  const plain = shown ? [bytes.subarray(13, 29), bytes.subarray(20, 36), bytes.subarray(34, -4)] : [bytes];
  const encoded = [0, 1, 2].map((lead) =>
    Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .slice(4, -8),
  );
  return [...plain, ...[hex, hex.toUpperCase(), ...encoded].map((text) => Buffer.from(text))];
}

function assertLacks(where: string, text: string | Buffer, secrets: readonly (string | Uint8Array)[]): void {
  const bytes = Buffer.from(text as string);
  for (const [at, secret] of secrets.entries())
    for (const form of formsOf(secret))
      assert.equal(bytes.indexOf(form), -1, `${where} holds secret ${at} as ${form.toString('latin1')}`);
}

it('the search finds a secret that is planted', () => {
  const key = `svc_live_${'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, 46)}`;
  const found = [
    `(1,${key})`,
    Buffer.from(key).toString('hex'),
    Buffer.from(`x${key}`).toString('base64'),
    key.slice(10, 40),
  ];
  for (const text of found) assert.throws(() => assertLacks('text', text, [key]), text);
  assertLacks('text', `${key.slice(0, 13)} ${key.slice(-4)}`, [key]);
});

describe('the secrets of a running service', () => {
  const folder = makeDataFolder('at-rest');
  const [data, readyFile] = [join(folder, 'data'), join(folder, 'ready.json')];
  const environment = {
    SDS_DATA_DIR: data,
    SDS_READY_FILE: readyFile,
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    SDS_RATE_LIMITS: 'PRO:1000000,address:1000000',
    LOG_LEVEL: 'debug',
  };
  let said = '';
  let stop = async () => {};
  const secrets: string[] = [];

  beforeAll(async () => {
    const child = spawn(process.execPath, [entry, 'start'], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
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
    };
    await until('the service is ready', () => existsSync(readyFile) || child.exitCode !== null);
    const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile;
    // Without a terminal, the first key is written once to a file, for its owner to remove.
    const first = readFileSync(join(data, 'first-key'), 'utf8').trim();
    const run = async (...args: string[]) => {
      const ran = await runSds({ ...environment, LOG_LEVEL: 'warn' }, [...args, '--json']);
      assert.equal(ran.code, 0, ran.err);
      return JSON.parse(ran.out) as Record<string, string>;
    };
    const account = (await run('accounts', 'create', '--name', 'at rest', '--tier', 'PRO')).account_id ?? '';
    const api = await run('keys', 'mint', '--account', account);
    const feed = await run('feed-keys', 'mint', '--source', 'feed');
    const urls = { apiUrl: ready.api_url, ingestUrl: ready.ingest_url };
    await use(urls, { api: ready.api_key, feed: ready.feed_key });
    await use(urls, { api: api.key ?? '', feed: feed.feed_key ?? '' });
    await run('keys', 'revoke', api.key_id ?? '', '--yes');
    secrets.push(first, ready.api_key, ready.feed_key, api.key ?? '', feed.feed_key ?? '', idempotencyKey);
    assert.ok(secrets.every((secret) => secret.length > 20));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are not in its database', async () => {
    const connection = embeddedConnection(data);
    assert.ok(connection !== null);
    const sql = openPool({ connection, maxConnections: 1 });
    const peppers = readOrMakePeppers(data);
    try {
      const dump = await dumpOf(sql);
      assertLacks('the database', dump, [...secrets, ...peppers.map(({ secret }) => secret)]);
      // Proves that this is the right database and that the dump is complete: it has what is stored for each key.
      for (const key of secrets.filter((secret) => secret.startsWith('svc_')))
        assert.ok(dump.includes(Buffer.from(macOfKey(key, peppers[0]!)).toString('hex')));
    } finally {
      await sql.close();
    }
  });

  it('are not in its log', () => {
    assert.ok(said.length > 0);
    assertLacks('the log', said, secrets);
  });

  it('are in no file of its data directory, the pepper and the first key in their own alone', async () => {
    const pepper = readOrMakePeppers(data)[0]!.secret;
    await stop();
    const files = globSync('**/*', { cwd: data }).filter((path) => statSync(join(data, path)).isFile());
    assert.ok(files.some((path) => path.includes('pg_wal')) && files.some((path) => path.startsWith('objects')));
    for (const path of files) {
      const bytes = readFileSync(join(data, path));
      const elsewhere = path === 'first-key' ? secrets.slice(1) : secrets;
      assertLacks(path, bytes, path === 'key-peppers' ? secrets : [...elsewhere, pepper]);
    }
    for (const own of ['key-peppers', 'first-key']) assert.equal(statSync(join(data, own)).mode & 0o777, 0o600);
  });
});

for (const [name, skip, prepare] of twoEditions) {
  describe(`the secrets of the ${name} edition`, skipFor(skip), () => {
    let setting: Awaited<ReturnType<typeof prepare>>;
    let edition: Edition;
    beforeAll(async () => {
      setting = await prepare();
      edition = await startEdition(setting);
    });
    afterAll(async () => {
      await edition?.stop();
      await setting?.drop();
    });

    it('are not in its database', async () => {
      const feed = await edition.feedKey(['push']);
      await use(edition, { api: edition.apiKey, feed });
      const sql = openPool({ connection: setting.environment.DATABASE_URL ?? '', maxConnections: 1 });
      try {
        const peppers = edition.drivers.peppers.map(({ secret }) => secret);
        assertLacks('the database', await dumpOf(sql), [edition.apiKey, feed, idempotencyKey, ...peppers]);
      } finally {
        await sql.close();
      }
    });
  });
}
