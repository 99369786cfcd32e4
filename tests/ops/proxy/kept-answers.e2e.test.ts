// Claim: `sds proxy` keeps its files for its user alone, no more than it may, and through restarts; no damaged byte leaves it, wherever the
// damage came from.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, it } from 'vitest';
import { assertBytes, files, how, openProxies, results, sha256, used, validKey } from '../../support/http/proxies.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';

const { home, proxyOf, apiWithGames, scripted, close, remove } = openProxies();
afterEach(close);
afterAll(remove);

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
  const second = await runSds({}, ['proxy', '--url', api.url, '--key-file', proxy.keyFile, '--cache', cache]);
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
