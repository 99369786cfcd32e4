// What only the Kafka driver has: the registry and its absence, foreign writers, compression, transactions, settings of the topics, and the
// traps of the client library.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { type Broker, BrokerUnavailable, type DeliveredRecord } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import type { TopicSettings } from '../../../platform/broker/topic-settings.ts';
import { installCodecs } from '../../../platform/kafka/codecs.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { gameUuids, image, numberOf, tick } from '../../support/builders/broker-records.ts';
import { Member } from '../../support/contracts/broker-member.ts';
import { MemberProcess } from '../../support/contracts/broker-member-process.ts';
import { quotesTopic } from '../../support/contracts/broker-subjects.ts';
import { openProxy, type TcpProxy } from '../../support/services/broker-proxy.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const [kafka, registry] = await Promise.all([services.kafka(), services.registry()]);
const [game] = gameUuids as [string];
const { CompressionTypes } = kafkajs;

/** The methods of the library's group members that tests replace. */
type KafkaGroup = Record<'heartbeat' | 'leave', (...asked: unknown[]) => Promise<unknown>>;

describe('Kafka as a log', skipFor(kafka.skip || registry.skip), () => {
  const opened: Broker[] = [];
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  let admin: kafkajs.Admin;
  let producer: kafkajs.Producer;
  let client: kafkajs.Kafka;

  beforeAll(async () => {
    process.on('warning', note);
    // Calms the library's timers, for the whole process.
    open(quotesTopic(1));
    client = new kafkajs.Kafka({ brokers: [...kafka.brokers], logLevel: kafkajs.logLevel.NOTHING });
    admin = client.admin();
    producer = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
    await Promise.all([admin.connect(), producer.connect()]);
  });
  afterAll(async () => {
    await Promise.all(opened.map((broker) => broker.close()));
    await Promise.all([admin.disconnect(), producer.disconnect()]);
    process.off('warning', note);
  });

  function open(topic: TopicSettings, registryUrl = registry.url, log = silentLog): Broker {
    const broker = openKafkaBroker({ brokers: kafka.brokers, registry: { url: registryUrl }, topics: [topic], log });
    opened.push(broker);
    return broker;
  }

  async function prepared(config: Record<string, string> = {}): Promise<{ broker: Broker; topic: string }> {
    const settings = { ...quotesTopic(1), config };
    const broker = open(settings);
    await broker.prepare();
    return { broker, topic: settings.name };
  }

  async function registryProxy(): Promise<{ proxy: TcpProxy; url: string }> {
    const { hostname, port, pathname } = new URL(registry.url);
    const proxy = await openProxy(hostname, Number(port));
    return { proxy, url: `http://127.0.0.1:${proxy.port}${pathname}` };
  }

  it('gives a killed member’s partition to one that joins, however long the session is', async () => {
    const topic = quotesTopic(1);
    const [group, sessionMs] = [unique('group'), 900_000];
    const settings = { brokers: kafka.brokers, registry: { url: registry.url }, topics: [topic], sessionMs };
    const broker = openKafkaBroker(settings);
    opened.push(broker);
    await broker.prepare();
    const address = { brokers: kafka.brokers, registryUrl: registry.url };
    const killed = new MemberProcess({ address, topic, group, sessionMs });
    try {
      await until('the other holds it', () => killed.events.includes('assigned 0'));
    } finally {
      await killed.kill();
    }
    const member = await Member.join(broker, { topic: topic.name, group });
    await member.holds(1);
    await member.stop();
  });

  it('makes topics with the broker’s time, durability by replicas, room for the largest record and the topic’s retention', async () => {
    const { topic } = await prepared();
    const compacted = { ...quotesTopic(1), compacted: true };
    const fleeting = { ...quotesTopic(1), keptDays: 14 };
    await Promise.all([open(compacted).prepare(), open(fleeting).prepare()]);
    const wanted = { type: kafkajs.ConfigResourceTypes.TOPIC };
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [topic, compacted.name, fleeting.name].map((name) => ({ ...wanted, name })),
    });
    const [plain, compact, forgetful] = resources.map(
      ({ configEntries }) => new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    );
    assert.equal(plain?.get('message.timestamp.type'), 'LogAppendTime');
    assert.equal(plain?.get('min.insync.replicas'), '1');
    assert.equal(plain?.get('retention.ms'), '-1');
    assert.equal(plain?.get('max.message.bytes'), String(1.5 * 1024 * 1024));
    assert.equal(forgetful?.get('retention.ms'), String(14 * 24 * 3_600_000));
    assert.equal(forgetful?.get('cleanup.policy'), 'delete');
    assert.equal(plain?.get('cleanup.policy'), 'delete');
    assert.equal(compact?.get('cleanup.policy'), 'compact');
  });

  it('finds a topic that exists without a word of warning', async () => {
    const settings = quotesTopic(1);
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
    for (let start = 0; start < 2; start += 1) await open(settings, registry.url, log).prepare();
    assert.deepEqual(warned, []);
  });

  it('registers its schema FULL_TRANSITIVE, and refuses to start where an incompatible one stands', async () => {
    const { topic } = await prepared();
    const answer = await fetch(`${registry.url}/config/${topic}-value`);
    assert.deepEqual(await answer.json(), { compatibilityLevel: 'FULL_TRANSITIVE' });
    const other = JSON.stringify({ type: 'record', name: 'QuotesRecord', fields: [{ name: 'x', type: 'int' }] });
    await assert.rejects(open({ ...quotesTopic(1), name: topic, schema: other }).prepare(), /refuses the schema/);
  });

  it('reads writers with an older or newer schema of the subject as its own', async () => {
    const { broker, topic } = await prepared();
    const ours = JSON.parse(quotesTopic(1).schema) as { fields: { name: string }[] };
    const newer = { ...ours, fields: [...ours.fields, { name: 'added', type: ['null', 'string'], default: null }] };
    const older = { ...ours, fields: ours.fields.filter(({ name }) => name !== 'push') };
    const theirs = new SchemaRegistry({ host: registry.url });
    for (const [index, schema] of [newer, older].entries()) {
      const text = JSON.stringify(schema);
      const options = { subject: `${topic}-value`, compatibility: COMPATIBILITY.FULL_TRANSITIVE };
      const { id } = await theirs.register({ type: SchemaType.AVRO, schema: text }, options);
      const value = openCodec(text).encode(id, { ...tick(index), added: 'x' });
      await producer.send({ topic, messages: [{ key: game, value }] });
    }
    const member = await Member.join(broker, { topic, group: unique('group') });
    await member.receives(2);
    assert.deepStrictEqual(
      member.records().map((record) => record.value),
      [tick(0), tick(1)],
    );
    await member.stop();
  });

  it('goes on with known schemas while the registry is away, and cannot start without it', async (t) => {
    const { proxy, url } = await registryProxy();
    t.onTestFinished(() => proxy.close());
    const settings = quotesTopic(1);
    const broker = open(settings, url);
    await broker.prepare();
    const member = await Member.join(broker, { topic: settings.name, group: unique('group') });
    await proxy.cut();
    await broker.produce(settings.name, [{ key: game, value: tick(1) }]);
    await member.receives(1);
    const late = open(settings, url);
    assert.deepEqual(await late.watermarks(settings.name), [{ partition: 0, low: 0, high: 1 }]);
    assert.deepEqual([await late.healthy(), await late.registryAnswers?.()], [true, false]);
    await assert.rejects(late.prepare(), BrokerUnavailable);
    await assert.rejects(late.produce(settings.name, [{ key: game, value: tick(2) }]), BrokerUnavailable);
    await proxy.mend();
    await late.produce(settings.name, [{ key: game, value: tick(2) }]);
    await member.receives(2);
    await member.stop();
  });

  it('waits for a registry that is away when a record has a schema it does not know yet', async (t) => {
    const { proxy, url } = await registryProxy();
    t.onTestFinished(() => proxy.close());
    const settings = quotesTopic(1);
    const broker = open(settings, url);
    await broker.prepare();
    const ours = JSON.parse(settings.schema) as { fields: object[] };
    const newer = { ...ours, fields: [...ours.fields, { name: 'added', type: ['null', 'string'], default: null }] };
    const text = JSON.stringify(newer);
    const { id } = await new SchemaRegistry({ host: registry.url }).register(
      { type: SchemaType.AVRO, schema: text },
      { subject: `${settings.name}-value`, compatibility: COMPATIBILITY.FULL_TRANSITIVE },
    );
    await proxy.cut();
    await producer.send({
      topic: settings.name,
      messages: [{ key: game, value: openCodec(text).encode(id, tick(7)) }],
    });
    const member = await Member.join(broker, { topic: settings.name, group: unique('group') });
    await member.holds(1);
    const stopping = await Member.join(broker, { topic: settings.name, group: unique('group') });
    await stopping.holds(1);
    await stopping.stop();
    assert.equal(member.records().length, 0);
    await proxy.mend();
    await member.receives(1);
    assert.equal(numberOf(member.records()[0]?.value), 7);
    await member.stop();
  });

  for (const codec of ['gzip', 'snappy', 'lz4', 'zstd']) {
    it(`reads what the broker has compressed with ${codec}`, async () => {
      const { broker, topic } = await prepared({ 'compression.type': codec });
      const values = Array.from({ length: 400 }, (_, index) => image(gameUuids[index % 16] as string, 20, index));
      await broker.produce(
        topic,
        values.map((value) => ({ key: value.game_uuid, value })),
      );
      const member = await Member.join(broker, { topic, group: unique('group') });
      await member.receives(values.length);
      assert.deepStrictEqual(
        member.records().map((record) => record.value),
        values,
      );
      await member.stop();
    });
  }

  it('delivers the records of an inflation bomb as undecodable, and those after it as they are', async () => {
    installCodecs();
    const { broker, topic } = await prepared({ 'max.message.bytes': '1048588' });
    await broker.produce(topic, [{ key: game, value: tick(0) }]);
    const zeros = Buffer.alloc(6 * 1024 * 1024);
    const messages = [1, 2, 3].map((n) => ({ key: `bomb ${n}`, value: zeros }));
    await producer.send({ topic, messages, compression: CompressionTypes.GZIP });
    await broker.produce(topic, [{ key: game, value: tick(1) }]);
    const member = await Member.join(broker, { topic, group: unique('group') });
    await member.receives(5);
    const records = member.records();
    assert.deepEqual(
      records.map((record) => record.offset),
      [0, 1, 2, 3, 4],
    );
    assert.deepEqual(
      records.map((record) => record.undecodable?.slice(0, 12) ?? null),
      [null, 'not inflated', 'not inflated', 'not inflated', null],
    );
    assert.ok(records.every((record) => record.timestamp > 1.7e15));
    await member.stop();
  });

  it('delivers a row of batches that inflate far over several fetches, without a gap', async () => {
    installCodecs();
    const { broker, topic } = await prepared();
    const count = 12;
    const message = { key: game, value: Buffer.alloc(7 * 1024 * 1024) };
    for (let sent = 0; sent < count; sent += 1)
      await producer.send({ topic, messages: [message], compression: CompressionTypes.GZIP });
    await broker.produce(topic, [{ key: game, value: tick(1) }]);
    const member = await Member.join(broker, { topic, group: unique('group') });
    await member.receives(count + 1);
    const ranged: DeliveredRecord[][] = [];
    for await (const batch of broker.read(topic, 0, 0, count + 1)) ranged.push([...batch.records]);
    for (const batches of [member.batches.map(({ records }) => records), ranged]) {
      assert.deepEqual(
        batches.flat().map(({ offset }) => offset),
        Array.from({ length: count + 1 }, (_, offset) => offset),
      );
      assert.ok(batches.length >= count / 3, `${batches.length} batches`);
    }
    await member.stop();
  });

  // Claim: whatever one producer puts into a batch, the consumer of its partition continues after it and reports how
  // many records it skipped.
  it('stands two records in for a batch of more records than are read', async () => {
    installCodecs();
    const { broker, topic } = await prepared();
    await broker.produce(topic, [{ key: game, value: tick(0) }]);
    const many = 50_001;
    const message = { key: null, value: Buffer.alloc(1) };
    const messages = Array.from({ length: many }, () => message);
    await producer.send({ topic, messages, compression: CompressionTypes.GZIP });
    await broker.produce(topic, [{ key: game, value: tick(1) }]);
    const member = await Member.join(broker, { topic, group: unique('group') });
    await member.until('all is received', () => member.failure !== null || member.records().length >= 4);
    assert.equal(member.failure, null);
    const seen: DeliveredRecord[] = [];
    for await (const batch of broker.read(topic, 0, 0, many + 2)) seen.push(...batch.records);
    for (const records of [member.records(), seen]) {
      assert.deepEqual(
        records.map(({ offset }) => offset),
        [0, 1, many, many + 1],
      );
      assert.match(records[1]?.undecodable ?? '', /^not inflated: a batch of 50001 records, offsets 1 to 50001/);
      assert.equal(records[2]?.undecodable, records[1]?.undecodable);
    }
    // Within the batch, as after a restart from a checkpoint there.
    const later = await Member.join(broker, { topic, group: unique('group'), from: async () => 30_000 });
    await later.receives(2);
    assert.deepEqual(
      later.batches.flatMap(({ from, records }) => [from, ...records.map(({ offset }) => offset)]).slice(0, 2),
      [30_000, many],
    );
    await Promise.all([member.stop(), later.stop()]);
  });

  it('passes over control records and what was aborted, in groups and in ranges', async () => {
    const { broker, topic } = await prepared();
    const codec = openCodec(quotesTopic(1).schema);
    const encoded = async (n: number) => {
      await broker.produce(topic, [{ key: 'probe', value: tick(n) }]);
      return codec.encode(await schemaId(topic), tick(n));
    };
    const transactional = client.producer({
      idempotent: true,
      transactionalId: unique('transaction'),
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
      maxInFlightRequests: 1,
      retry: { initialRetryTime: 10 },
    });
    await transactional.connect();
    for (const [n, end] of [
      [10, 'commit'],
      [11, 'abort'],
      [12, 'commit'],
    ] as const) {
      const value = await encoded(n - 10);
      const transaction = await transactional.transaction();
      await transaction.send({ topic, messages: [{ key: game, value }] });
      await transaction[end]();
    }
    await transactional.disconnect();
    // For its producer a transaction ends before its marker is in the log: three probes, three records, three markers.
    const offsets = 9;
    await until('the last marker', async () => (await broker.watermarks(topic))[0]?.high === offsets, { everyMs: 20 });
    const seen: number[] = [];
    for await (const batch of broker.read(topic, 0, 0, offsets)) {
      seen.push(...batch.records.map((record) => numberOf(record.value)));
    }
    // The probes and the committed records, without the second transaction's.
    assert.deepEqual(seen, [0, 0, 1, 2, 2]);
    const member = await Member.join(broker, { topic, group: unique('group') });
    await member.receives(5);
    await broker.produce(topic, [{ key: game, value: tick(99) }]);
    await member.receives(6);
    let next = 0;
    for (const { from, records: delivered } of member.batches) {
      assert.equal(from, next, 'each batch begins where the one before has ended, whatever lies between');
      next = (delivered.at(-1)?.offset ?? 0) + 1;
    }
    assert.equal(member.failure, null);
    await member.stop();
  });

  async function schemaId(topic: string): Promise<number> {
    const answer = await fetch(`${registry.url}/subjects/${topic}-value/versions/latest`);
    return ((await answer.json()) as { id: number }).id;
  }

  it('tells Kafka how far a group is', async () => {
    const { broker, topic } = await prepared();
    const group = unique('group');
    await broker.produce(
      topic,
      [0, 1, 2].map((n) => ({ key: game, value: tick(n) })),
    );
    const member = await Member.join(broker, { topic, group });
    await member.receives(3);
    await member.acknowledge(0, 3);
    await until('the offset', async () => {
      const [offsets] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      return offsets?.partitions[0]?.offset === '3';
    });
    await member.stop();
  });

  it('refuses a record that the topic could not take, before it costs its neighbours', async () => {
    const { broker, topic } = await prepared();
    const ofBytes = (bytes: number): QuotesRecord => ({ ...tick(1), source: randomBytes(bytes / 2).toString('hex') });
    const calls = [tick(0), ofBytes(1_410_000), tick(2), ofBytes(1_390_000)].map((value) =>
      broker.produce(topic, [{ key: game, value }]),
    );
    const [first, second, third, fourth] = await Promise.allSettled(calls);
    assert.deepEqual([first?.status, third?.status, fourth?.status], ['fulfilled', 'fulfilled', 'fulfilled']);
    assert.ok(second?.status === 'rejected' && second.reason instanceof RangeError);
  });

  for (const wrapped of [false, true]) {
    it(`starts over when the library finds nobody to ask for the group’s coordinator${wrapped ? ', and says so under a wrapper' : ''}`, async () => {
      const { broker, topic } = await prepared();
      await broker.produce(topic, [{ key: game, value: tick(1) }]);
      const require = createRequire(import.meta.url);
      const cluster = require('kafkajs/src/cluster') as {
        prototype: { findGroupCoordinatorMetadata(...asked: unknown[]): unknown };
      };
      const { KafkaJSGroupCoordinatorNotFound, KafkaJSNonRetriableError } = require('kafkajs/src/errors');
      const noCoordinator = new KafkaJSGroupCoordinatorNotFound('nobody to ask');
      let refusals = 0;
      const original = cluster.prototype.findGroupCoordinatorMetadata;
      vi.spyOn(cluster.prototype, 'findGroupCoordinatorMetadata').mockImplementation(function (
        this: unknown,
        ...asked: unknown[]
      ) {
        refusals += 1;
        if (refusals <= 2)
          throw wrapped ? new KafkaJSNonRetriableError(noCoordinator, { cause: noCoordinator }) : noCoordinator;
        return original.apply(this, asked);
      });
      const member = await Member.join(broker, { topic, group: unique('group') });
      await member.receives(1);
      assert.ok(refusals > 2);
      assert.equal(member.failure, null);
      await member.stop();
    });
  }

  it('hands a partition over anew when the library loses its group meanwhile, and when it loses it later', async () => {
    const { broker, topic } = await prepared();
    await broker.produce(topic, [{ key: game, value: tick(1) }]);
    const require = createRequire(import.meta.url);
    const { prototype: group } = require('kafkajs/src/consumer/consumerGroup') as { prototype: KafkaGroup };
    const { KafkaJSGroupCoordinatorNotFound } = require('kafkajs/src/errors');
    let [isToCrash, left] = [false, 0];
    const { heartbeat, leave } = group;
    vi.spyOn(group, 'heartbeat').mockImplementation(async function (this: KafkaGroup, ...asked: unknown[]) {
      if (!isToCrash) return heartbeat.apply(this, asked);
      isToCrash = false;
      throw new KafkaJSGroupCoordinatorNotFound('nobody to ask');
    });
    vi.spyOn(group, 'leave').mockImplementation(async function (this: KafkaGroup, ...asked: unknown[]) {
      await leave.apply(this, asked);
      left += 1;
    });
    let assigned = 0;
    const member = await Member.join(broker, {
      topic,
      group: unique('group'),
      async from() {
        assigned += 1;
        if (assigned > 1) return 0;
        isToCrash = true;
        await until('the library leaves its group', () => left === 1, { everyMs: 5 });
        return 0;
      },
    });
    await member.receives(1);
    assert.deepEqual(member.events, ['assigned 0', 'revoked 0', 'assigned 0']);
    isToCrash = true;
    await member.until('the partition is lost', () => member.events.length === 4);
    assert.equal(left, 2);
    await member.receives(2);
    assert.deepEqual(member.events.slice(3), ['revoked 0', 'assigned 0']);
    assert.equal(member.failure, null);
    await member.stop();
  });

  it('leaves no timer of the library spinning', () => {
    assert.deepEqual(
      warnings.filter((warning) => warning.name === 'TimeoutNegativeWarning'),
      [],
    );
  });
});
