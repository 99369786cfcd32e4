// What is the embedded log's alone: taking over at once where no other process can live, and its own rows.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { DeliveredBatch, DeliveredRecord } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerHour } from '../../../core/units.ts';
import { frameBatch, unframeBatch } from '../../../platform/embedded-log/batch-frame.ts';
import { openEmbeddedLog } from '../../../platform/embedded-log/embedded-log.ts';
import { migrate } from '../../../platform/postgres/migrate.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { wallClockNow } from '../../../platform/process/clock.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { gameUuids, image, tick } from '../../support/builders/broker-records.ts';
import { Member } from '../../support/contracts/broker-member.ts';
import { MemberProcess } from '../../support/contracts/broker-member-process.ts';
import { quotesTopic } from '../../support/contracts/broker-subjects.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();
const [game] = gameUuids as [string];

describe('the embedded log', skipFor(postgres.skip), () => {
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, drop } = await postgres.createDatabase());
    const sql = openPool({ connection: url });
    await migrate(sql, silentLog);
    await sql.close();
  });
  afterAll(() => drop());

  it('takes over the partitions of a killed process at once, if it is configured as the only process', async (t) => {
    const topic = quotesTopic(3);
    const group = unique('group');
    const sessionMs = 60_000;
    const earlier = new MemberProcess({ address: { postgres: url }, topic, group, sessionMs });
    t.onTestFinished(() => earlier.kill());
    await until('the first process holds them', () => earlier.events.length === 3);
    await earlier.kill();
    const sql = openPool({ connection: url });
    const log = openEmbeddedLog({ sql, topics: [topic], sessionMs, soleProcess: true });
    const member = await Member.join(log, { topic: topic.name, group });
    await member.holds(3);
    await log.close();
    await sql.close();
  });

  it('delivers what it has appended itself without reading it, and as it stands in the database', async () => {
    const topic = quotesTopic(2);
    const sql = openPool({ connection: url });
    let found = 0;
    const query: Sql['query'] = async (text, values, name) => {
      const answer = await sql.query(text, values, name);
      if (name === 'log_read' && answer.rows.some(({ bytes }) => bytes !== null)) found += 1;
      return answer;
    };
    const log = openEmbeddedLog({ sql: { ...sql, query }, topics: [topic] });
    await log.prepare();
    const delivered: DeliveredRecord[] = [];
    const handlers = {
      assigned: async () => 0,
      revoked() {},
      batch: async ({ records }: DeliveredBatch) => void delivered.push(...records),
      failed: assert.fail,
    };
    const consumer = await log.consume({ topic: topic.name, group: unique('group') }, handlers);
    for (let index = 0; index < 10; index += 1) {
      const records = gameUuids
        .slice(0, 3)
        .map((key) => ({ key, value: image(key, 1, index), headers: { source: 'a' } }));
      await log.produce(topic.name, records);
      await until('they were handled', () => delivered.length === 3 * (index + 1));
    }
    await consumer.stop();
    await log.close();
    // The first read, or one after a second without a notice, may come just before the rows are kept.
    assert.ok(found < 8, `${found} reads of the database found rows`);
    const later = openEmbeddedLog({ sql, topics: [topic] });
    const stored: DeliveredRecord[] = [];
    for (const { partition, low, high } of await later.watermarks(topic.name))
      for await (const { records } of later.read(topic.name, partition, low, high)) stored.push(...records);
    const inOrder = ({ timestamp, offset, key }: DeliveredRecord): string =>
      `${timestamp} ${String(offset).padStart(3, '0')} ${key}`;
    const sorted = (all: readonly DeliveredRecord[]) => all.toSorted((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1));
    assert.deepEqual(sorted(delivered), sorted(stored));
    await later.close();
    await sql.close();
  });

  it('keeps nothing of the batches that were handled, however long the partition is held', async () => {
    const topic = quotesTopic(1);
    const sql = openPool({ connection: url });
    const log = openEmbeddedLog({ sql, topics: [topic] });
    await log.prepare();
    const taken: WeakRef<DeliveredBatch>[] = [];
    const handlers = {
      assigned: async () => 0,
      revoked() {},
      batch: async (batch: DeliveredBatch) => void taken.push(new WeakRef(batch)),
      failed: assert.fail,
    };
    const consumer = await log.consume({ topic: topic.name, group: unique('group') }, handlers);
    for (let index = 0; index < 20; index += 1) {
      await log.produce(topic.name, [{ key: game, value: image(game, 1, index) }]);
      await until('the batch was handled', () => taken.length > index);
    }
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    // The newest batch may still be in use.
    assert.ok(taken.filter((batch) => batch.deref() !== undefined).length <= 2, 'batches are kept');
    await consumer.stop();
    await log.close();
    await sql.close();
  });

  it('keeps its size within reason: feeds repeat themselves', async () => {
    const topic = quotesTopic(1);
    const sql = openPool({ connection: url });
    const log = openEmbeddedLog({ sql, topics: [topic] });
    const values = Array.from({ length: 300 }, (_, index) => image(game, 30, index));
    await log.produce(
      topic.name,
      values.map((value) => ({ key: game, value })),
    );
    const { rows } = await sql.query(
      `select sum(octet_length(bytes)) as bytes, sum(records) as records
       from log_batches b join log_topics t on t.id = b.topic_id where t.name = $1`,
      [topic.name],
    );
    assert.equal(Number(rows[0]?.records), 300);
    assert.ok(Number(rows[0]?.bytes) < 300 * 400, `${rows[0]?.bytes} bytes`);
    await log.close();
    await sql.close();
  });
});

describe('what the embedded log deletes', skipFor(postgres.skip), () => {
  let sql: Sql;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await postgres.createDatabase();
    drop = database.drop;
    sql = openPool({ connection: database.url });
    await migrate(sql, silentLog);
  });
  afterAll(async () => {
    await sql?.close();
    await drop?.();
  });

  /** A topic of one partition, and a way to make its content a day older. */
  async function opened() {
    const topic = quotesTopic(1);
    const log = openEmbeddedLog({ sql, topics: [topic] });
    const { name } = topic;
    await log.prepare();
    return {
      log,
      topic: name,
      low: async () => (await log.watermarks(name))[0]?.low,
      produce: (from: number, to: number) =>
        log.produce(
          name,
          Array.from({ length: to - from }, (_, index) => ({ key: game, value: tick(from + index) })),
        ),
      age: () =>
        sql.query(
          `update log_batches set at = at - interval '1 day' where topic_id = (select id from log_topics where name = $1)`,
          [name],
        ),
    };
  }

  const dayAgo = () => wallClockNow() - 24 * microsPerHour;
  const everything = Number.MAX_SAFE_INTEGER;

  it('goes as far as age and offset both allow, and no record further', async () => {
    const { log, topic, produce, age, low } = await opened();
    await produce(0, 10);
    await produce(10, 20);
    await age();
    await produce(20, 30);
    const before = dayAgo() + microsPerHour;
    for (const [what, expected] of [
      [{ before: dayAgo() - microsPerHour, below: everything }, 0],
      [{ before, below: 0 }, 0],
      [{ before, below: 5 }, 5],
      [{ before, below: 15 }, 15],
      [{ before, below: 15 }, 15],
      [{ before, below: 12 }, 15],
      [{ before, below: everything }, 20],
      [{ before: null, below: 22 }, 22],
      [{ before: null, below: everything }, 30],
      [{ before: null, below: everything }, 30],
    ] as const) {
      assert.deepEqual(await log.forget(topic, 0, what), { more: false });
      assert.equal(await low(), expected, JSON.stringify(what));
      for await (const batch of log.read(topic, 0, expected, 30))
        assert.equal(batch.records[0]?.offset, expected, 'what is left can be read');
    }
    const { rows } = await sql.query(
      'select count(*) as rows from log_batches where topic_id = (select id from log_topics where name = $1)',
      [topic],
    );
    assert.equal(rows[0]?.rows, 0);
    await log.close();
  });

  it('goes in bounded steps, with other processes deleting and appending meanwhile', async () => {
    const { log, topic, produce, low } = await opened();
    for (let n = 0; n < 1_300; n += 1) await produce(n, n + 1);
    const steps: number[] = [];
    const below = 1_250;
    await log.forget(topic, 0, { before: null, below });
    assert.equal(await low(), 500);
    const all = async () => {
      for (let more = true; more; steps.push((await low()) ?? 0))
        ({ more } = await log.forget(topic, 0, { before: null, below }));
    };
    await Promise.all([all(), all(), produce(1_300, 1_310)]);
    assert.equal(await low(), below);
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    const offsets: number[] = [];
    for await (const batch of log.read(topic, 0, below, 1_310))
      offsets.push(...batch.records.map(({ offset }) => offset));
    assert.deepEqual(
      offsets,
      Array.from({ length: 60 }, (_, index) => below + index),
    );
    await log.close();
  });

  it('gives its space back: a log that forgets as much as it takes stops growing', async () => {
    const { log, topic } = await opened();
    const sizes: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      for (let call = 0; call < 12; call += 1) {
        const value: QuotesRecord = { ...tick(call), source: randomBytes(100_000).toString('hex') };
        await log.produce(topic, [{ key: game, value }]);
      }
      const [range] = await log.watermarks(topic);
      await log.forget(topic, 0, { before: null, below: (range?.high ?? 0) - 12 });
      // What autovacuum does on its own schedule.
      await sql.query('vacuum log_batches');
      const { rows } = await sql.query(`select pg_total_relation_size('log_batches') as bytes`);
      sizes.push(rows[0]?.bytes as number);
    }
    assert.ok(Math.max(...sizes.slice(3)) <= Math.max(...sizes.slice(0, 3)) * 1.1, sizes.join(', '));
    await log.close();
  });
});

describe('a batch row', () => {
  const record = (n: number, headers = {}) => ({ key: `k${n}`, headers, value: Buffer.from(JSON.stringify(tick(n))) });

  it('gives back its records, small or compressed', () => {
    for (const count of [1, 2, 500]) {
      const records = Array.from({ length: count }, (_, n) => record(n, n % 2 === 0 ? {} : { é: 'ü', __proto__x: '' }));
      assert.deepEqual(unframeBatch(frameBatch(records)), records);
    }
    const empty = [{ key: '', headers: {}, value: Buffer.alloc(0) }];
    assert.deepEqual(unframeBatch(frameBatch(empty)), empty);
  });

  it('that is damaged is an error, and no record', () => {
    const framed = frameBatch(Array.from({ length: 50 }, (_, n) => record(n)));
    assert.throws(() => unframeBatch(framed.subarray(0, framed.length - 5)));
    const small = frameBatch([record(1)]);
    assert.throws(() => unframeBatch(small.subarray(0, small.length - 5)));
  });
});
