// Claim: `sds proxy` on a disk that takes nothing answers as the API does, is charged once for all who wait, and keeps again what it can.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, it } from 'vitest';
import { assertBytes, files, how, openProxies, results, used } from '../../support/http/proxies.ts';

const { proxyOf, apiWithGames, close, remove } = openProxies();
afterEach(close);
afterAll(remove);

it('answers from memory while its disk takes nothing, says so, and keeps files again afterwards', async () => {
  const api = await apiWithGames();
  const { body: bytes, headers } = await api.get(results);
  const rows = Number(headers['x-service-rowcount']);
  const before = await used(api);
  const proxy = await proxyOf(api.url, api.key);
  // Nothing can be written beside a file.
  const aside = join(proxy.folder, 'aside');
  rmSync(aside, { recursive: true });
  writeFileSync(aside, '');

  assertBytes(await proxy.get('/v1/games?league=MLB'), (await api.get('/v1/games?league=MLB')).body);
  const whole = await proxy.get(results);
  assertBytes(whole, bytes);
  assert.deepEqual([how(whole), whole.headers['x-service-debited']], ['fwd=miss', String(rows)]);
  assertBytes(await proxy.get(results, { headers: { range: 'bytes=4-99' } }), bytes.subarray(4, 100), 206);
  assert.equal((await proxy.get(results, { headers: { 'if-none-match': headers.etag ?? '' } })).status, 304);
  assert.deepEqual(files(proxy), []);
  const charged = (await used(api)) - before;
  assert.equal(charged, 2 * rows, 'one charge for each of the two');

  rmSync(aside);
  mkdirSync(aside);
  const kept = await proxy.get(results);
  assertBytes(kept, bytes);
  assert.deepEqual([how(kept), files(proxy).length], ['fwd=miss; stored', 1]);
  assert.equal(how(await proxy.get(results)), 'hit; detail=confirmed');
  const { not_kept, from_disk, rows_debited } = await proxy.stop();
  assert.deepEqual([not_kept, from_disk, rows_debited], [3, 1, charged + rows]);
});
