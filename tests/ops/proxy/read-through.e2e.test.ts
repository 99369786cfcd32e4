// Claim: `sds proxy` moves and pays for a file once, however many programs read it and in whatever parts; what it serves is byte for byte what
// the API serves, and the newest.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, it } from 'vitest';
import { landVersion } from '../../support/builders/final-files.ts';
import { resultRows } from '../../support/builders/final-rows.ts';
import { parquetRows } from '../../support/builders/parquet-log.ts';
import type { Reply, RequestOptions } from '../../support/http/api-http.ts';
import {
  assertBytes,
  files,
  how,
  listing,
  live,
  openProxies,
  results,
  settled,
  sha256,
  used,
  validKey,
} from '../../support/http/proxies.ts';
import { until } from '../../support/services/until.ts';

const { proxyOf, apiWithGames, scripted, close, remove } = openProxies();
afterEach(close);
afterAll(remove);

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

it('fetches a file once for readers that know other versions of it, none, or the same', async () => {
  const { origin, proxy } = await scripted();
  const path = '/v1/games/A/sportsbook-lines/board/DK';
  const bytes = Buffer.from('PAR1 board');
  const current = origin.file(path, bytes).fields.etag ?? '';
  const others = ['a', 'b', 'c'].map((digit) => `"${digit.repeat(64)}"`);
  for (const first of [{ 'if-none-match': current }, { 'if-match': others[0] as string }, {}]) {
    origin.fallSilent();
    const asked = origin.asked.length;
    const leader = proxy.get(path, { headers: first });
    await until('the first reader waits for the API', () => origin.asked.length > asked);
    const followers = [{}, {}, { 'if-none-match': current }, ...others.map((tag) => ({ 'if-none-match': tag }))];
    const waiting = followers.map((headers) => proxy.get(path, { headers }));
    assert.equal((await proxy.get(path, { headers: { origin: 'http://elsewhere' } })).status, 400, 'after the others');
    origin.speak();
    const replies = [await leader, ...(await Promise.all(waiting))];
    assert.deepEqual(
      replies.slice(1).map(({ status }) => status),
      [200, 200, 304, 200, 200, 200],
    );
    assert.equal(replies.filter((reply) => how(reply) === 'fwd=miss; stored').length, 1, JSON.stringify(first));
    for (const reply of replies) if (reply.status === 200) assertBytes(reply, bytes);
    origin.answers.set(path, { path, body: bytes, fields: {}, status: 404 });
    await proxy.get(path);
    origin.file(path, bytes);
  }
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

it('lets a reader wait for changes of what it has itself, and never of what is kept', async () => {
  const { origin, proxy } = await scripted();
  const path = '/v1/games/A/sportsbook-lines/board/DK';
  const bytes = Buffer.from('PAR1 board');
  const etag = origin.file(path, bytes).fields.etag ?? '';
  await proxy.get(path);
  const ask = (method: 'GET' | 'HEAD', known: Record<string, string>) =>
    proxy.get(path, { method, headers: { prefer: 'wait=25', ...known } });
  assertBytes(await ask('GET', {}), bytes);
  assert.equal((await ask('HEAD', {})).status, 200);
  for (const method of ['GET', 'HEAD'] as const)
    assert.equal((await ask(method, { 'if-none-match': '"an earlier one"' })).status, 200);
  assert.deepEqual(origin.waits, []);
  for (const method of ['GET', 'HEAD'] as const)
    assert.equal((await ask(method, { 'if-none-match': etag })).status, 304);
  assert.deepEqual(origin.waits, [`GET ${path}`, `HEAD ${path}`]);
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
