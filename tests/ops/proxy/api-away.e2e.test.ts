// Claim: with the API away, `sds proxy` serves what it has and says when that is stale, and nothing that the API has declared gone.
import assert from 'node:assert/strict';
import { afterAll, afterEach, it } from 'vitest';
import { landFinals } from '../../support/builders/final-files.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import type { Reply } from '../../support/http/api-http.ts';
import { assertBytes, how, listing, live, openProxies, results } from '../../support/http/proxies.ts';
import { until } from '../../support/services/until.ts';

const { proxyOf, apiWithGames, scripted, close, remove } = openProxies();
afterEach(close);
afterAll(remove);

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
