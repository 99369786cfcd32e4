// `sds backup` of a service under load, and `sds restore` elsewhere (docs/backup.md): every push that was acknowledged before the backup's moment
// is there, with its rows, and `sds verify` finds nothing wrong. A violation is a push that was acknowledged and is not in the restored service.
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { startMsfLoad } from '../../support/campaigns/msf-load.ts';
import { Program } from '../../support/campaigns/program.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { until } from '../../support/services/until.ts';

type Acknowledged = { receipt: string; price: number; at: number };
type Receipt = { state: string; counts: { applied: number }; records: { rows: number }[] };

const folder = makeDataFolder('backup');
const place = (name: string): string => join(folder, name);
const environmentOf = (name: string): Record<string, string> => ({
  SDS_EDITION: 'embedded',
  SDS_DATA_DIR: place(name),
  SDS_READY_FILE: place(`${name}.json`),
  SDS_API_PORT: '0',
  SDS_INGEST_PORT: '0',
  SDS_DEMO: 'off',
  DATABASE_URL: '',
});
const readyOf = (name: string) => JSON.parse(readFileSync(place(`${name}.json`), 'utf8')) as ReadyFile;
const sds = (name: string, ...args: string[]) => runSds(environmentOf(name), args);

describe('a backup', () => {
  const acknowledged: Acknowledged[] = [];
  /** Receipts of MSF bodies that were acknowledged before the backup began. */
  let observed: string[] = [];
  let takenAt = 0;
  let key = '';

  beforeAll(async () => {
    const program = new Program('original', environmentOf('original'), { roles: ['all'] });
    program.start();
    try {
      await program.untilReady();
      const ready = readyOf('original');
      key = ready.api_key;
      let isOver = false;
      const pushing = (async () => {
        for (let price = 101; !isOver; price += 1) {
          const receipt = await push(ready, price);
          acknowledged.push({ receipt, price, at: Date.now() });
        }
      })();
      const { ingest_url: gatewayUrl, feed_key: feedKey } = ready;
      const msf = startMsfLoad({ gatewayUrl, feedKey, seed: 7, pushers: 2, pauseMs: 40, met: [] });
      const pushed = (): [number, number] => [acknowledged.length, msf.acknowledged.length];
      await until('there is something to back up', () => pushed().every((pushes) => pushes > 50));
      const before = pushed();
      observed = msf.acknowledged.map(({ receipt }) => receipt);
      const { code, out, err } = await sds('original', 'backup', place('kept'), '--json');
      isOver = true;
      await Promise.all([pushing, msf.stop()]);
      assert.equal(code, 0, err);
      for (const [at, pushes] of pushed().entries())
        assert.ok(pushes > (before[at] ?? 0), 'it was pushed while the backup was taken');
      assert.deepEqual(msf.surprises, []);
      takenAt = Date.parse((JSON.parse(out) as { taken_at: string }).taken_at);
    } finally {
      await program.kill();
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is a folder that only its owner can read', () => {
    for (const [name, mode] of [
      ['', 0o700],
      ['backup.json', 0o600],
      ['objects.ndjson', 0o600],
      ['catalog.ndjson.gz', 0o600],
      ['key-peppers', 0o600],
    ] as const)
      assert.equal(statSync(join(place('kept'), name)).mode & 0o777, mode, name);
    assert.equal(existsSync(`${place('kept')}.part`), false);
  });

  it('restored elsewhere verifies clean, and has each push that was acknowledged before its moment', async () => {
    const restored = await sds('restored', 'restore', place('kept'), '--json');
    assert.equal(restored.code, 0, restored.err);
    const checked = await sds('restored', 'verify', '--json');
    assert.equal(checked.code, 0, checked.err + checked.out);
    const program = new Program('restored', environmentOf('restored'), { roles: ['all'] });
    program.start();
    try {
      await program.untilReady();
      const { ingest_url: gateway, api_url: api, feed_key } = readyOf('restored');
      const due = acknowledged.filter(({ at }) => at < takenAt);
      assert.ok(due.length > 50, `${due.length} of ${acknowledged.length}`);
      const pushes = [
        ...due.map(({ receipt, price }) => ({ receipt, name: `the push of ${price}` })),
        ...observed.map((receipt) => ({ receipt, name: `the observation ${receipt}` })),
      ];
      for (const { receipt, name } of pushes) {
        const answer = async (): Promise<Receipt> => {
          const headers = { authorization: `Bearer ${feed_key}` };
          const got = await fetch(`${gateway}/v1/receipts/${receipt}`, { headers });
          assert.equal(got.status, 200, name);
          return (await got.json()) as Receipt;
        };
        await until(`${name} is applied`, async () => (await answer()).state === 'applied');
      }
      const known = await fetch(`${api}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
      assert.notEqual(known.status, 401, 'a key of the original is known');
      assert.ok(await push(readyOf('restored'), 5_000));
    } finally {
      await program.kill();
    }
    const again = await sds('restored', 'verify', '--json');
    assert.equal(again.code, 0, again.err + again.out);
    const { checked: counts } = JSON.parse(again.out) as { checked: Record<string, number> };
    assert.ok(
      Object.values(counts).some((count) => count > 0),
      again.out,
    );
  });

  it('replaces nothing, neither a folder nor a service, and a damaged one is refused', async () => {
    const taken = await sds('original', 'backup', place('kept'));
    assert.deepEqual([taken.code, /exists: a backup is made in a new folder/.test(taken.err)], [3, true], taken.err);
    const onto = await sds('original', 'restore', place('kept'));
    assert.deepEqual([onto.code, /is not empty \(.*set SDS_DATA_DIR/.test(onto.err)], [3, true], onto.err);
    const none = await sds('nowhere', 'restore', place('nothing'));
    assert.deepEqual([none.code, /is no backup/.test(none.err)], [1, true], none.err);
    const damaged = place('damaged');
    cpSync(place('kept'), damaged, { recursive: true });
    const catalog = join(damaged, 'catalog.ndjson.gz');
    writeFileSync(catalog, readFileSync(catalog).subarray(0, -10));
    const refused = await sds('nowhere', 'restore', damaged);
    assert.deepEqual(
      [refused.code, /catalog\.ndjson\.gz has another SHA-256/.test(refused.err)],
      [1, true],
      refused.err,
    );
    writeFileSync(join(damaged, 'backup.json'), '{');
    const unread = await sds('nowhere', 'restore', damaged);
    assert.deepEqual([unread.code, /backup\.json cannot be read; put it back/.test(unread.err)], [1, true], unread.err);
    assert.equal(existsSync(place('nowhere')), false);
    mkdirSync(join(place('mine.part'), 'something'), { recursive: true });
    const mine = await sds('original', 'backup', place('mine'));
    assert.deepEqual([mine.code, existsSync(join(place('mine.part'), 'something'))], [3, true], mine.err);
    mkdirSync(join(place('second.part'), '.unfinished'), { recursive: true });
    mkdirSync(join(place('second.part'), 'objects'));
    assert.equal(
      (await sds('original', 'backup', place('second'))).code,
      0,
      'what an interrupted attempt left is replaced',
    );
    const other = await runSds({ ...environmentOf('nowhere'), DATABASE_URL: 'postgres://db/sds' }, [
      'backup',
      place('x'),
    ]);
    assert.deepEqual([other.code, /docs\/backup\.md/.test(other.err)], [3, true], other.err);
  });

  it('of a service that has lost an object names it, and backs up the rest only when that is asked for', async () => {
    const store = join(place('original'), 'objects');
    const { out } = await sds('original', 'backup', place('whole'), '--json');
    assert.equal((JSON.parse(out) as { lost: number }).lost, 0, out);
    const aside = place('aside');
    renameSync(join(store, 'flushes'), aside);
    const without = await sds('original', 'backup', place('without'));
    assert.deepEqual([without.code, existsSync(place('without'))], [1, false], without.err);
    assert.match(
      without.err,
      /lacks or has damaged what the catalog names: flushes\/\S+.*; no backup was made: put them/,
    );
    const rest = await sds('original', 'backup', place('rest'), '--without-lost', '--json');
    assert.equal(rest.code, 0, rest.err);
    assert.ok((JSON.parse(rest.out) as { lost: number }).lost > 0, rest.out);
    renameSync(aside, join(store, 'flushes'));
    const peppers = join(place('original'), 'key-peppers');
    renameSync(peppers, aside);
    const keyless = await sds('original', 'backup', place('keyless'));
    assert.deepEqual([keyless.code, /key-peppers is missing.*put it back/.test(keyless.err)], [1, true], keyless.err);
    renameSync(aside, peppers);
  });

  it('that lacks an object is not restored, and says which', async () => {
    const torn = place('torn');
    cpSync(place('kept'), torn, { recursive: true });
    const [key = ''] = keysBelow(join(torn, 'objects'), 'flushes');
    rmSync(join(torn, 'objects', key));
    const refused = await sds('nowhere', 'restore', torn);
    assert.equal(refused.code, 1);
    assert.ok(refused.err.includes(`torn is damaged: objects/${key} is missing`), refused.err);
    assert.deepEqual([existsSync(place('nowhere')), existsSync(`${place('nowhere')}.restoring`)], [false, false]);
  });
});

/** The keys of the objects below a folder of a store. */
function keysBelow(store: string, name: string): string[] {
  return readdirSync(join(store, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(store, join(entry.parentPath, entry.name)));
}

function push({ ingest_url: gateway, feed_key: key }: ReadyFile, price: number): Promise<string> {
  return pushMoneyline({ gateway, key: key as string }, price);
}
