// Claim: `sds proxy` reads with its own key, which only its API gets, and only for programs of this machine.
import assert from 'node:assert/strict';
import { afterAll, afterEach, it } from 'vitest';
import { pepper, type RequestOptions } from '../../support/http/api-http.ts';
import { openProxies, results, used } from '../../support/http/proxies.ts';

const { proxyOf, apiWithGames, scripted, startOrigin, close, remove } = openProxies();
afterEach(close);
afterAll(remove);

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

it('follows no redirect, so that its key goes to its API alone', async () => {
  const { origin, proxy } = await scripted();
  const other = await startOrigin();
  const path = '/v1/games';
  const fields = { location: `${other.url}${path}` };
  origin.answers.set(path, { path, body: Buffer.from(''), fields, status: 307 });
  assert.equal((await proxy.get(path)).status, 307);
  assert.deepEqual([origin.asked, other.asked], [[`GET ${path}`], []]);
});
