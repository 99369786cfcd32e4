// Topics that a restore makes, on a real Kafka: every record is where it was, with its time, also behind records that its log had deleted, and
// around markers and aborted records; a record's schema has the number of this registry.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { RawRecord } from '../../../core/ports/raw-archive.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { openTopicRefill, type TopicRefill } from '../../../platform/kafka/topic-refill.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { WrittenLog, writtenSchemaId } from '../../support/fakes/written-log.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [kafka, registry] = [await services.kafka(), await services.registry()];
const start = Date.parse('2026-01-09T00:00:00Z') * 1_000;

describe('a topic of archived records', skipFor(kafka.skip || registry.skip), () => {
  const found = serviceTopics(3).find(({ name }) => name === topics.quotes);
  assert.ok(found !== undefined);
  const topic = { ...found, name: unique('refilled') };
  let refill: TopicRefill;

  beforeAll(async () => {
    const link = { brokers: kafka.brokers, sasl: null, tls: null, partitions: 3, replication: 1 };
    refill = openTopicRefill({ ...link, registry: { url: registry.url } }, silentLog);
    assert.deepEqual(await refill.present([topic.name]), []);
    await refill.create(topic);
    assert.deepEqual(await refill.present([topic.name]), [topic.name]);
  });
  afterAll(() => refill?.close());

  async function* inBatches(records: readonly RawRecord[]): AsyncGenerator<readonly RawRecord[]> {
    for (let from = 0; from < records.length; from += 2) yield records.slice(from, from + 2);
  }

  it('has each record at its offset and time, whatever the log had besides', async () => {
    const numbers = await refill.register(topic.name, new Map([[writtenSchemaId, eventSchema(topics.quotes)]]));
    assert.equal(numbers.size, 1);
    const shapes = [
      { partition: 0, first: 0, gaps: [0, 0, 1, 0, 3, 0], end: 2 },
      { partition: 1, first: 25_007, gaps: [0, 1, 2, 0], end: 1 },
      { partition: 2, first: 0, gaps: [4, 0], end: 0 },
    ];
    for (const { partition, first, gaps, end } of shapes) {
      const log = new WrittenLog();
      log.high = first;
      for (const [index, gap] of gaps.entries()) log.append(start + index * 1_000_000, gap);
      log.appendBad(start + 9_000_000, Uint8Array.of(1, 2, 3));
      const high = log.high + end;
      const held = { partition, low: first, high };
      const reached: number[] = [];
      const count = await refill.fill(topic.name, held, inBatches(log.records), numbers, (next) => reached.push(next));
      assert.equal(count, log.records.length);
      assert.deepEqual([reached.toSorted((a, b) => a - b), reached.at(-1)], [reached, high]);
      const broker = openKafkaBroker({ brokers: kafka.brokers, registry: { url: registry.url }, topics: [topic] });
      try {
        const mark = (await broker.watermarks(topic.name)).find((each) => each.partition === partition);
        assert.deepEqual(mark, { partition, low: first, high });
        const read: DeliveredRecord[] = [];
        for await (const { records } of broker.read(topic.name, partition, first, high)) read.push(...records);
        const facts = ({ offset, timestamp, key, headers, value }: DeliveredRecord) => ({
          ...{ offset, timestamp, key, headers, value },
        });
        assert.deepEqual(read.map(facts), log.records.map(facts));
        assert.ok(read.some(({ value }) => value !== null));
      } finally {
        await broker.close();
      }
    }
  });

  it('takes its times from the broker afterwards, and refuses a partition that something else writes to', async () => {
    await refill.finish(topic);
    const broker = openKafkaBroker({ brokers: kafka.brokers, registry: { url: registry.url }, topics: [topic] });
    try {
      const log = new WrittenLog();
      const { value, key } = log.append(start);
      const before = Date.now() * 1_000;
      const end = (await broker.produce(topic.name, [{ key: `${key}`, value, partition: 2 }])).get(2) ?? 0;
      for await (const { records } of broker.read(topic.name, 2, end - 1, end))
        for (const { timestamp } of records) assert.ok(timestamp >= before - 1_000_000, `${timestamp}`);
      const held = { partition: 2, low: 0, high: 1 };
      const fill = refill.fill(topic.name, held, inBatches(log.records), new Map(), () => {});
      await assert.rejects(fill, /something else writes/);
    } finally {
      await broker.close();
    }
  });
});
