// Claim: `sds proxy` moves and pays for a file once, however many programs read it and in whatever parts; what it serves is byte for byte what the API serves; with
// the API away it serves what it has and says when that is stale; no damaged byte leaves it, wherever the damage came from.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, it } from 'vitest';
import { mintKey, randomBytesPerKey } from '../../../core/access/key-format.ts';
import { landFinals, landVersion } from '../../support/builders/final-files.ts';
import { resultRows } from '../../support/builders/final-rows.ts';
import { parquetRows } from '../../support/builders/parquet-log.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { pepper, type Reply, type RequestOptions, send, startApi, type TestApi } from '../../support/http/api-http.ts';
import { type ScriptedOrigin, startScriptedOrigin } from '../../support/http/scripted-origin.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { type RunningProxy, startProxy } from '../../support/processes/running-proxy.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';

const live = 'MLB_STL_NYY_20260805';
const settled = { uuid: uuidOf('MLB_BOS_TOR_20260804'), gameId: 'MLB_BOS_TOR_20260804', league: 'MLB' };
const results = `/v1/games/${settled.gameId}/market-results`;
const listing = `/v1/games/${live}/sportsbook-lines/segments`;

const home = makeDataFolder('proxy');
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** For an origin that asks for no key. */
const validKey = mintKey('live', new Uint8Array(randomBytesPerKey));
let folders = 0;

async function proxyOf(url: string, key: string, more: { cache?: string; megabytes?: number } = {}) {
  folders += 1;
  const keyFile = join(home, `key-${folders}`);
  writeFileSync(keyFile, `${key}\n`);
  const proxy = await startProxy({ url, keyFile, cache: join(home, `cache-${folders}`), ...more });
  closing.push(() => proxy.kill());
  const get = (path: string, options: RequestOptions = {}): Promise<Reply> => send(proxy.url, path, options);
  return { ...proxy, get };
}

type Asking = Awaited<ReturnType<typeof proxyOf>>;

async function apiWithGames(): Promise<TestApi> {
  const api = await startApi();
  closing.push(() => api.close());
  await api.log(live, 5, parquetRows).append(12);
  api.log(settled.gameId, 5, parquetRows);
  await landFinals({ objects: api.objects, artifacts: api.catalog }, settled);
  return api;
}

const used = async (api: TestApi): Promise<number> => (await api.ledger.usage('account')).usedRows;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function assertBytes(reply: Reply, expected: Uint8Array, status = 200): void {
  assert.deepEqual([reply.status, reply.body.length, sha256(reply.body)], [status, expected.length, sha256(expected)]);
}

/** How the answer came about, as it says itself. */
const how = (reply: Reply): string | undefined => reply.headers['cache-status']?.replace('sds-proxy; ', '');

describe('sds proxy', () => {
  it('pays for a file once: parts, crowds, other names and a HEAD before', async () => {
    const api = await apiWithGames();
    const { body: bytes, headers } = await api.get(results);
    const rows = Number(headers['x-service-rowcount']);
    const before = await used(api);
    const proxy = await proxyOf(api.url, api.key);

    const head = await proxy.get(results, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(bytes.length)]);
    assert.equal(await used(api), before, 'a HEAD is free');

    const crowd = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        const first = Math.floor((at * bytes.length) / 24);
        return proxy.get(results, at % 2 === 0 ? {} : { headers: { range: `bytes=${first}-${first + 99}` } });
      }),
    );
    crowd.forEach((reply, at) => {
      const first = Math.floor((at * bytes.length) / 24);
      if (at % 2 === 0) assertBytes(reply, bytes);
      else assertBytes(reply, bytes.subarray(first, first + 100), 206);
    });
    const debited = crowd.map((reply) => Number(reply.headers['x-service-debited']));
    assert.equal(
      debited.reduce((sum, each) => sum + each, 0),
      rows,
      'the answers say together what was debited',
    );
    for (const name of [`${results}?version=1`, results.replace('MLB_BOS', 'mlb_bos'), `${results}?version=1`])
      assertBytes(await proxy.get(name), bytes);
    assert.equal((await used(api)) - before, rows);
    assert.equal((await proxy.stop()).rows_debited, rows);
  });

  it('answers ranges, preconditions and HEAD from disk as the API does', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    const { headers } = await proxy.get(results);
    const etag = headers.etag ?? '';
    const asked: RequestOptions[] = [
      ...['bytes=0-3', 'bytes=-8', 'bytes=100-', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=9-3', 'bytes=99999999-'].map(
        (range) => ({ headers: { range } }),
      ),
      { headers: { 'if-none-match': etag } },
      { headers: { 'if-match': '"other"' } },
      { headers: { 'if-range': etag, range: 'bytes=4-7' } },
      { headers: { 'if-range': '"other"', range: 'bytes=4-7' } },
      { method: 'HEAD' },
    ];
    const compared = [
      'content-type',
      'content-length',
      'content-range',
      'etag',
      'accept-ranges',
      'cache-control',
      'x-service-rowcount',
    ];
    for (const options of asked) {
      const [ours, theirs] = [await proxy.get(results, options), await api.get(results, options)];
      const said = JSON.stringify(options);
      if (ours.status < 400) assertBytes(ours, theirs.body, theirs.status);
      assert.equal(ours.status, theirs.status, said);
      const of = ({ headers: fields }: Reply) =>
        compared.filter((name) => ours.status < 400 || name === 'content-range').map((name) => fields[name]);
      assert.deepEqual(of(ours), of(theirs), said);
      if (ours.status >= 400)
        assert.equal(
          (ours.json() as { type: string }).type.split('/').at(-1),
          (theirs.json() as { type: string }).type.split('/').at(-1),
        );
    }
  });

  it('passes live listings through, and asks whether a final file still is the newest', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    const log = api.log('MLB_SEA_OAK_20260805', 5, parquetRows);
    await log.append(3);
    const path = '/v1/games/MLB_SEA_OAK_20260805/sportsbook-lines/segments';
    const cursors = [];
    for (const count of [0, 1, 4]) {
      if (count > 0) await log.append(count);
      cursors.push(((await proxy.get(path)).json() as { cursor: string }).cursor);
    }
    assert.deepEqual(cursors, ['1:3', '1:4', '2:3']);

    const first = await proxy.get(results);
    const charged = await used(api);
    assert.equal(how(await proxy.get(results)), 'hit; detail=confirmed');
    assert.equal(await used(api), charged);
    const corrected = await landVersion({ objects: api.objects, artifacts: api.catalog }, settled, {
      ...{ dataset: 'market-results', version: 2 },
      rows: resultRows(settled).slice(1),
    });
    await until('the correction is served', async () => (await proxy.get(results)).headers.etag !== first.headers.etag);
    assertBytes(await proxy.get(results), corrected.bytes);
    assert.equal(await used(api), charged + corrected.rows.length);
    assertBytes(await proxy.get(`${results}?version=2`), corrected.bytes);
    assert.equal(await used(api), charged + corrected.rows.length, 'by its version it is the same file');
  });

  it('serves what it has with the API away; only what may have changed is stale', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    const segment = `${listing}/1?rows=5`;
    const paths = [listing, segment, results, `${results}?version=1`, '/v1/games?league=MLB'];
    const online = new Map<string, Reply>();
    for (const path of paths) online.set(path, await proxy.get(path));
    await api.close();

    for (const path of paths) {
      const reply = await proxy.get(path);
      assertBytes(reply, online.get(path)!.body);
      const isStale = path !== segment && !path.includes('version');
      assert.deepEqual(
        [how(reply), reply.headers.warning],
        isStale ? ['hit; detail=stale', '110 sds-proxy "Response is Stale"'] : ['hit', undefined],
      );
      assert.equal(/^\d+$/.test(reply.headers.age ?? ''), isStale, path);
      assert.equal(reply.headers['x-service-debited'], '0');
      const head = await proxy.get(path, { method: 'HEAD' });
      assert.equal(head.headers['content-length'], String(reply.body.length), path);
    }
    assertBytes(await proxy.get(segment, { headers: { range: 'bytes=0-3' } }), Buffer.from('PAR1'), 206);
    const unknown = await proxy.get('/v1/games/MLB_BOS_TOR_20260804/closing-lines');
    assert.deepEqual([unknown.status, unknown.headers['retry-after']], [503, '1']);
    assert.match((unknown.json() as { type: string }).type, /\/problems\/temporarily-unavailable$/);
    // Of 12 answers from disk one was found under another name while the API was there.
    const { stale, from_disk } = await proxy.stop();
    assert.deepEqual([stale, from_disk], [6, 12]);
  });

  it('forgets the live listing of a game that is final', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    assert.equal((await proxy.get(listing)).status, 200);
    await landFinals(
      { objects: api.objects, artifacts: api.catalog },
      { uuid: uuidOf(live), gameId: live, league: 'MLB' },
    );
    await until('the game is final', async () => (await proxy.get(listing)).status === 404);
    await api.close();
    assert.equal((await proxy.get(listing)).status, 503);
  });

  it('goes on after a restart with what it has, for this user alone', async () => {
    const api = await apiWithGames();
    const cache = join(home, 'kept');
    const proxy = await proxyOf(api.url, api.key, { cache });
    const { body } = await proxy.get(results);
    const charged = await used(api);
    const modes = (folder: string): string[] =>
      readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => {
        const mode = (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8);
        return `${entry.isDirectory() ? 'folder' : 'file'} ${mode}`;
      });
    assert.deepEqual([...new Set(modes(cache))].sort(), ['file 600', 'folder 700']);
    const second = await runSds({}, [
      'proxy',
      '--url',
      api.url,
      '--key-file',
      join(home, `key-${folders}`),
      '--cache',
      cache,
    ]);
    assert.deepEqual([second.code, /another proxy keeps its files in/.test(second.err)], [3, true]);
    await proxy.kill();

    const again = await proxyOf(api.url, api.key, { cache });
    assertBytes(await again.get(results), body);
    assert.equal(await used(api), charged);
    // A disk that returns wrong bytes.
    await again.kill();
    const [name = ''] = readdirSync(join(again.folder, 'files'));
    const damaged = readFileSync(join(again.folder, 'files', name));
    damaged[100] = (damaged[100] ?? 0) ^ 1;
    writeFileSync(join(again.folder, 'files', name), damaged);
    const repaired = await proxyOf(api.url, api.key, { cache });
    assertBytes(await repaired.get(results), body);
    assert.equal(await used(api), charged * 2, 'what the disk has lost is paid again');
  });

  it('reads with its own key alone, for programs of this machine', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    const other = api.catalog.mint(pepper, { accountId: 'other' });
    assert.equal((await proxy.get(results, { key: other })).status, 200);
    assert.deepEqual([(await api.ledger.usage('other')).usedRows, (await used(api)) > 0], [0, true]);
    const refused: RequestOptions[] = [
      { headers: { host: `attacker.example:${new URL(proxy.url).port}` } },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { origin: 'https://attacker.example' } },
    ];
    for (const options of refused) assert.equal((await proxy.get(results, options)).status, 400);
    const own = { origin: proxy.url, 'sec-fetch-site': 'same-origin' };
    assert.equal((await proxy.get(results, { headers: own })).status, 200);
    const elsewhere = proxy.url.replace('127.0.0.1', '127.0.0.2');
    await assert.rejects(fetch(elsewhere + results), 'nothing listens on other addresses');
    const [kept, passed] = [await proxy.get(results), await proxy.get('/v1/me')];
    for (const reply of [kept, passed]) assert.equal(reply.headers['access-control-allow-origin'], undefined);
    assert.equal((await proxy.get(results, { method: 'POST' })).status, 405);
    assert.equal((await proxy.get('/v1/nothing')).status, 404);
  });

  it('passes odds on as they are debited: each read again', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    const path = `/v1/games/${settled.gameId}/odds`;
    const own = Number((await api.get(path, { method: 'HEAD' })).headers['x-service-rowcount']);
    const before = await used(api);
    for (const reads of [1, 2]) {
      const { headers } = await proxy.get(path);
      assert.deepEqual([headers['x-service-debited'], (await used(api)) - before], [String(own), reads * own]);
    }
    assert.ok(own > 0);
  });

  it('passes streams of events and waits through', async () => {
    const api = await apiWithGames();
    const proxy = await proxyOf(api.url, api.key);
    const stream = await fetch(`${proxy.url}/v1/events?games=${live}`);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: head')) text += (await reader.read()).value ?? '';
    await reader.cancel();
    const answer = await proxy.get(listing, { headers: { prefer: 'wait=25' } });
    assert.deepEqual([answer.status, answer.headers['preference-applied']], [200, 'wait=25']);
  });
});

describe('what a bad network or a crash does to it', () => {
  async function scripted(
    more: { cache?: string; megabytes?: number } = {},
  ): Promise<{ origin: ScriptedOrigin; proxy: Asking }> {
    const origin = await startScriptedOrigin();
    closing.push(() => origin.close());
    return { origin, proxy: await proxyOf(origin.url, validKey, more) };
  }
  const files = ({ folder }: RunningProxy): string[] => readdirSync(join(folder, 'files'));

  it('keeps and serves nothing of an answer that is damaged, cut off or encoded otherwise', async () => {
    const { origin, proxy } = await scripted();
    const bytes = Buffer.from('PAR1 the bytes of a file PAR1');
    const right = origin.file('/v1/games/A/closing-lines', bytes);
    const wrong: Partial<typeof right>[] = [
      { body: Buffer.from('PAR1 the bytes of a bile PAR1') },
      { body: bytes.subarray(0, 10) },
      { cutOff: true },
    ];
    for (const fault of wrong) {
      origin.answers.set(right.path, { ...right, ...fault });
      const before = origin.asked.length;
      const crowd = await Promise.all([proxy.get(right.path), proxy.get(right.path), proxy.get(right.path)]);
      for (const reply of crowd) {
        assert.equal(reply.status, 503);
        assert.equal(reply.body.includes('PAR1'), false);
      }
      // A HEAD is free; a GET may have been charged.
      const gets = origin.asked.slice(before).filter((each) => each.startsWith('GET '));
      assert.equal(gets.length, 1, 'one request for all who wait, and none more');
      assert.deepEqual(files(proxy), []);
    }
    const encoded = gzipSync(bytes);
    origin.answers.set(right.path, {
      ...right,
      body: encoded,
      fields: { ...right.fields, 'content-encoding': 'gzip' },
    });
    assertBytes(await proxy.get(right.path), encoded);
    assert.deepEqual(files(proxy), [], 'the answer is passed on and not kept');
    origin.answers.set(right.path, right);
    assertBytes(await proxy.get(right.path), bytes);
    assert.deepEqual(files(proxy), [sha256(bytes)]);
  });

  it('has nothing of a file that was being written when it was killed', async () => {
    const cache = join(home, 'killed');
    const { origin, proxy } = await scripted({ cache });
    const bytes = Buffer.alloc(3_000_000, 'sports');
    const file = origin.file('/v1/games/A/closing-lines', bytes);
    origin.answers.set(file.path, { ...file, holdsAfter: 2_000_000 });
    const cutOff = proxy.get(file.path).then(
      () => 'answered',
      () => 'cut off',
    );
    const written = (): number =>
      readdirSync(join(proxy.folder, 'aside')).reduce(
        (sum, name) => sum + statSync(join(proxy.folder, 'aside', name)).size,
        0,
      );
    await until('half of it is written', () => written() > 1_000_000);
    await proxy.kill();
    assert.equal(await cutOff, 'cut off');

    origin.answers.set(file.path, file);
    const again = await proxyOf(origin.url, validKey, { cache });
    assert.deepEqual([readdirSync(join(again.folder, 'aside')), files(again)], [[], []]);
    assertBytes(await again.get(file.path), bytes);
    // Bytes without an address, as after a kill between writing the two: they are removed.
    await again.kill();
    mkdirSync(join(again.folder, 'files'), { recursive: true });
    writeFileSync(join(again.folder, 'files', sha256(Buffer.from('x'))), 'x');
    const third = await proxyOf(origin.url, validKey, { cache });
    assert.deepEqual(files(third), [sha256(bytes)]);
  });

  it('keeps no more than it may: what was used longest ago goes first', async () => {
    const cache = join(home, 'bounded');
    const { origin, proxy } = await scripted({ cache, megabytes: 1 });
    const paths = ['A', 'B', 'C'].map((game) => {
      const file = origin.file(`/v1/games/${game}/closing-lines?version=1`, Buffer.alloc(400_000, game));
      origin.answers.set(file.path, { ...file, fields: { ...file.fields, 'x-service-artifact-version': '1' } });
      return file.path;
    });
    const [a = '', b = '', c = ''] = paths;
    for (const path of [a, b, a, c]) await proxy.get(path);
    const asked = () => paths.map((path) => origin.asked.filter((each) => each === `GET ${path}`).length);
    assert.deepEqual(asked(), [1, 1, 1]);
    assert.equal(files(proxy).length, 2);
    await proxy.get(a);
    await proxy.get(c);
    assert.deepEqual(asked(), [1, 1, 1], 'B was used longest ago');
    await proxy.get(b);
    assert.deepEqual(asked(), [1, 2, 1]);
    await proxy.kill();
    const roomy = await proxyOf(origin.url, validKey, { cache, megabytes: 2 });
    for (const path of paths) await roomy.get(path);
    assert.equal(files(roomy).length, 3);
    await roomy.kill();
    assert.equal(files(await proxyOf(origin.url, validKey, { cache, megabytes: 1 })).length, 2, 'a lower limit');
  });

  it('keeps the newest file, however large it is, in megabytes of 1,000,000 bytes', async () => {
    const { origin, proxy } = await scripted({ megabytes: 1 });
    const [large, half, other] = [1_200_000, 510_000, 511_000].map(
      (size) => origin.file(`/v1/games/A/closing-lines?${size}`, Buffer.alloc(size, 'sports')).body,
    ) as [Buffer, Buffer, Buffer];
    for (const bytes of [large, half, other]) {
      assertBytes(await proxy.get(`/v1/games/A/closing-lines?${bytes.length}`), bytes);
      assert.deepEqual(files(proxy), [sha256(bytes)]);
    }
  });

  it('asks whether a file is still the newest, but for parts within its max-age, and deletes what no address names', async () => {
    const { origin, proxy } = await scripted();
    const path = '/v1/games/A/closing-lines';
    origin.file(path, Buffer.from('PAR1 first'));
    await proxy.get(path);
    const asked = origin.asked.length;
    const part = { headers: { range: 'bytes=0-3' } };
    assertBytes(await proxy.get(path, part), Buffer.from('PAR1'), 206);
    assert.equal(origin.asked.length, asked);
    assert.equal(how(await proxy.get(path)), 'hit; detail=confirmed');
    assert.equal(origin.asked.length, asked + 1);
    const newer = Buffer.from('PAR1 newer');
    const { fields } = origin.file(path, newer);
    assertBytes(await proxy.get(path), newer);
    assert.deepEqual(files(proxy), [sha256(newer)]);
    origin.answers.set(path, { path, body: newer, fields: { ...fields, 'cache-control': 'private, max-age=0' } });
    await proxy.kill();
    rmSync(proxy.folder, { recursive: true });
    const again = await proxyOf(origin.url, validKey, { cache: join(proxy.folder, '..') });
    assertBytes(await again.get(path), newer);
    const before = origin.asked.length;
    assertBytes(await again.get(path, part), Buffer.from('PAR1'), 206);
    assert.equal(origin.asked.length, before + 1, 'a part beyond max-age is asked for');
  });

  it('keeps the files of each API apart', async () => {
    const cache = join(home, 'two');
    const path = '/v1/games/A/closing-lines?version=1';
    for (const said of ['PAR1 one', 'PAR1 two']) {
      const { origin, proxy } = await scripted({ cache });
      const { fields } = origin.file(path, Buffer.from(said));
      const kept = { ...fields, 'cache-control': 'private, max-age=86400, immutable' };
      origin.answers.set(path, { path, body: Buffer.from(said), fields: kept });
      assertBytes(await proxy.get(path), Buffer.from(said));
      assert.equal(how(await proxy.get(path)), 'hit');
    }
    assert.equal(readdirSync(cache).length, 2);
  });

  it('forgets the last answer of an address that is gone, and of no other', async () => {
    const { origin, proxy } = await scripted();
    const path = '/v1/games';
    const listing = { path, body: Buffer.from('{}'), fields: { 'content-type': 'application/json' } };
    for (const status of [404, 409, 410, 403]) {
      origin.answers.set(path, listing);
      await proxy.get(path);
      origin.answers.set(path, { ...listing, status });
      assert.equal((await proxy.get(path)).status, status);
      origin.answers.set(path, { ...listing, status: 503 });
      assert.equal((await proxy.get(path)).status, status === 403 ? 200 : 503, `${status}`);
    }
  });

  it('follows no redirect, so that its key goes to its API alone', async () => {
    const { origin, proxy } = await scripted();
    const other = await startScriptedOrigin();
    closing.push(() => other.close());
    const path = '/v1/games';
    const fields = { location: `${other.url}${path}` };
    origin.answers.set(path, { path, body: Buffer.from(''), fields, status: 307 });
    assert.equal((await proxy.get(path)).status, 307);
    assert.deepEqual([origin.asked, other.asked], [[`GET ${path}`], []]);
  });

  it('serves what it has where the API answers that it cannot', async () => {
    const { origin, proxy } = await scripted();
    const file = origin.file('/v1/games/A/closing-lines', Buffer.from('PAR1'));
    assert.equal(how(await proxy.get(file.path)), 'fwd=miss; stored');
    for (const status of [502, 503, 504]) {
      origin.answers.set(file.path, { ...file, status });
      assert.equal(how(await proxy.get(file.path)), 'hit; detail=stale', `${status}`);
    }
    const unknown = await proxy.get('/v1/me');
    assert.deepEqual([unknown.status, how(unknown)], [404, 'fwd=bypass']);
    origin.answers.set(file.path, { ...file, status: 429 });
    assert.equal((await proxy.get(file.path)).status, 429, 'a refusal is passed on');
  });
});
