// `sds backup` of a distributed service under load, and `sds restore` into another database, bucket, Kafka and registry (docs/backup.md): every
// push that was acknowledged before the backup's moment is there and applied, and `sds verify` finds nothing wrong, the raw archive included. A
// violation is a push that was acknowledged and is not in the restored service.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { openPlace, type Place } from '../../support/campaigns/place.ts';
import { Program } from '../../support/campaigns/program.ts';
import { pushMoneyline } from '../../support/editions/push-moneyline.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Acknowledged = { receipt: string; price: number; at: number };

const folder = makeDataFolder('backup-distributed');
const kept = join(folder, 'kept');
const closing = new AsyncDisposableStack();

/** A place where nothing has run; a string says which service is missing. */
async function placeOf(bare: boolean): Promise<Place | string> {
  const place = await openPlace('distributed', { partitions: 2, bare });
  if (typeof place !== 'string') closing.defer(() => place.close());
  return place;
}

describe('a backup of the distributed edition', skipFor(outOfTurn()), () => {
  const acknowledged: Acknowledged[] = [];
  let missing: string | null = null;
  let original: Place;
  let restored: Place;
  let takenAt = 0;

  const sds = (place: Place, ...args: string[]) => runSds(place.environment, args);
  const readyOf = (place: Place) => JSON.parse(readFileSync(join(place.folder, 'ready.json'), 'utf8')) as ReadyFile;

  async function running<T>(place: Place, work: () => Promise<T>): Promise<T> {
    const environment = { ...place.environment, SDS_READY_FILE: join(place.folder, 'ready.json'), SDS_DEMO: 'off' };
    const program = new Program('service', environment, { roles: ['all'] });
    program.start();
    try {
      await program.untilReady();
      return await work();
    } finally {
      await program.kill();
    }
  }

  beforeAll(async () => {
    const [first, second, registry] = [await placeOf(false), await placeOf(true), await services.own.registry()];
    if (typeof first === 'string' || typeof second === 'string' || registry.skip !== false) {
      missing = [first, second, registry.skip].find((each) => typeof each === 'string') as string;
      return;
    }
    closing.use(registry);
    [original, restored] = [first, second];
    // The registry has given the first ids to other schemas.
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) await registerOther(registry.url, name);
    restored.environment.SCHEMA_REGISTRY_URL = registry.url;
    await running(original, async () => {
      const ready = readyOf(original);
      await produceInTransactions(original);
      let isOver = false;
      const pushing = (async () => {
        for (let price = 101; !isOver; price += 1) {
          const receipt = await push(ready, price);
          acknowledged.push({ receipt, price, at: Date.now() });
        }
      })();
      await until('there is something to back up', () => acknowledged.length > 30);
      const before = acknowledged.length;
      const { code, out, err } = await sds(original, 'backup', kept, '--json');
      isOver = true;
      await pushing;
      assert.equal(code, 0, err);
      assert.ok(acknowledged.length > before, 'it was pushed while the backup was taken');
      takenAt = Date.parse((JSON.parse(out) as { taken_at: string }).taken_at);
    });
  });
  afterAll(async () => {
    await closing.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  it('restored elsewhere verifies clean, and has each push that was acknowledged before its moment', async (t) => {
    if (missing !== null) return t.skip(missing);
    const made = await sds(restored, 'restore', kept, '--json');
    assert.equal(made.code, 0, made.err);
    const checked = await sds(restored, 'verify', '--json');
    assert.equal(checked.code, 0, checked.err + checked.out);
    await running(restored, async () => {
      const { ingest_url: gateway, feed_key: key } = readyOf(restored);
      const due = acknowledged.filter(({ at }) => at < takenAt);
      assert.ok(due.length > 30, `${due.length} of ${acknowledged.length}`);
      for (const { receipt, price } of due) {
        await until(`the push of ${price} is applied`, async () => {
          const got = await fetch(`${gateway}/v1/receipts/${receipt}`, { headers: { authorization: `Bearer ${key}` } });
          assert.equal(got.status, 200, `the push of ${price}`);
          return ((await got.json()) as { state: string }).state === 'applied';
        });
      }
      const receipt = await push(readyOf(restored), 5_000);
      await until('a new push is applied', async () => {
        const got = await fetch(`${gateway}/v1/receipts/${receipt}`, { headers: { authorization: `Bearer ${key}` } });
        return ((await got.json()) as { state: string }).state === 'applied';
      });
      const replayed = await sds(restored, 'replay', '--json');
      assert.equal(replayed.code, 0, replayed.err + replayed.out);
      const { rows } = JSON.parse(replayed.out) as { rows: number };
      assert.ok(rows >= due.length, `${rows} rows are the fold of the restored log`);
    });
    for (const args of [['verify'], ['verify', '--archive']]) {
      const again = await sds(restored, ...args, '--json');
      assert.equal(again.code, 0, again.err + again.out);
      const { checked: counts } = JSON.parse(again.out) as { checked: Record<string, number> };
      assert.ok(
        Object.values(counts).some((count) => count > 0),
        again.out,
      );
    }
  });

  it('replaces nothing, and is not restored as another edition', async (t) => {
    if (missing !== null) return t.skip(missing);
    const refused = async (environment: Record<string, string>, what: RegExp) => {
      const { code, err } = await runSds(environment, ['restore', kept]);
      assert.deepEqual([code, what.test(err)], [3, true], err);
    };
    await refused(original.environment, /database of DATABASE_URL holds the schema of a service/);
    await refused(
      { SDS_EDITION: 'embedded', SDS_DATA_DIR: join(folder, 'none'), DATABASE_URL: '' },
      /is of the distributed edition: set SDS_EDITION=distributed/,
    );
    const postgres = await services.postgres();
    assert.equal(postgres.skip, false);
    const empty = await postgres.createDatabase();
    try {
      const { S3_BUCKET: taken = '' } = original.environment;
      await refused(
        { ...restored.environment, DATABASE_URL: empty.url, S3_BUCKET: taken },
        /name an empty one in S3_BUCKET/,
      );
      const s3 = await services.s3();
      assert.equal(s3.skip, false);
      const bucket = await s3.createBucket();
      await refused(
        { ...restored.environment, DATABASE_URL: empty.url, S3_BUCKET: bucket },
        /Kafka has .*sds\.quotes\.v1.* already/,
      );
    } finally {
      await empty.drop();
    }
  });
});

/** Commits one record and aborts another: this leaves markers, and offsets without a record. */
async function produceInTransactions({ environment }: Place): Promise<void> {
  const brokers = `${environment.KAFKA_BROKERS}`.split(',');
  const client = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING });
  const producer = client.producer({ transactionalId: 'a direct producer', idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  try {
    for (const end of ['commit', 'abort', 'commit'] as const) {
      const transaction = await producer.transaction();
      const messages = [0, 1].map((partition) => ({ key: 'direct', value: Buffer.from(`no Avro, ${end}`), partition }));
      await transaction.send({ topic: topics.quotes, messages });
      await transaction[end]();
    }
  } finally {
    await producer.disconnect();
  }
}

async function registerOther(url: string, name: string): Promise<void> {
  const schema = JSON.stringify({ type: 'record', name, fields: [{ name: 'x', type: 'string' }] });
  const answer = await fetch(`${url}/subjects/${name}-value/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

function push({ ingest_url: gateway, feed_key: key }: ReadyFile, price: number): Promise<string> {
  const home = ['NYY', 'LAD', 'CHC', 'SEA'][price % 4] as string;
  const away = ['BOS', 'SF', 'STL', 'HOU'][price % 4] as string;
  return pushMoneyline({ gateway, key: key as string }, price, { eventId: `e${price % 4}`, home, away });
}
