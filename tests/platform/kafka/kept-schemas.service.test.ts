// Claim: a registry that has lost its data loses no record. Running processes continue with the schemas they know and report the change;
// records that they cannot read wait; a start is refused with the remedy, and registers nothing, whether the ids of our schemas are gone or
// belong to other schemas now. A violation would be a record that is refused, or misread, because its schema is missing.
import assert from 'node:assert/strict';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { Halted } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { openTopicSchemasCatalog } from '../../../platform/postgres/topic-schemas-catalog.ts';
import { gameUuids, numberOf, tick } from '../../support/builders/broker-records.ts';
import { Member } from '../../support/contracts/broker-member.ts';
import { quotesTopic } from '../../support/contracts/broker-subjects.ts';
import { openDatabase } from '../../support/services/databases.ts';
import { startRegistry } from '../../support/services/registry.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

// The shared registry shows whether one is available here.
const [kafka, registry] = await Promise.all([services.kafka(), services.registry()]);
const [game] = gameUuids as [string];

describe('a registry that has lost its data', skipFor(kafka.skip || registry.skip), () => {
  it('halts a start with its remedy, and costs no record', async () => {
    if (kafka.skip !== false) throw new Error('skipped above');
    await using own = await startRegistry();
    const { sql } = await openDatabase();
    const schemas = openTopicSchemasCatalog(sql);
    const topic = quotesTopic(1);
    const warned: string[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(JSON.stringify(line)) };
    const open = () =>
      openKafkaBroker({ brokers: kafka.brokers, registry: { url: own.url }, topics: [topic], schemas, log });
    const fill = async (from: number, to: number) => {
      const others = new SchemaRegistry({ host: own.url });
      for (let number = from; number <= to; number += 1) {
        const schema = JSON.stringify({ type: 'record', name: `Other${number}`, fields: [{ name: 'x', type: 'int' }] });
        const options = { subject: `other-${number}`, compatibility: COMPATIBILITY.FULL_TRANSITIVE };
        await others.register({ type: SchemaType.AVRO, schema }, options);
      }
    };
    const subjects = async () => (await (await fetch(`${own.url}/subjects`)).json()) as string[];

    await fill(1, 3);
    const [running, again] = [open(), open()];
    await running.prepare();
    await again.prepare();
    const [known] = await schemas.ofSubject(`${topic.name}-value`);
    assert.equal((await schemas.ofSubject(`${topic.name}-value`)).length, 1);
    assert.equal(await running.registryAnswers?.(), true);
    const member = await Member.join(running, { topic: topic.name, group: unique('group') });
    await running.produce(topic.name, [{ key: game, value: tick(1) }]);
    await member.receives(1);

    await own.restart();
    assert.equal(await running.registryAnswers?.(), false);
    await running.produce(topic.name, [{ key: game, value: tick(2) }]);
    await member.receives(2);
    const late = open();
    await assert.rejects(late.prepare(), (error) => {
      assert.ok(error instanceof Halted, String(error));
      assert.match(error.message, /no longer has schema \d+, with which records of .* are written/);
      assert.match(error.remedy, /restore its data/);
      return true;
    });
    assert.deepEqual(await subjects(), []);

    await fill(1, known?.id ?? 0);
    await assert.rejects(late.prepare(), /has another schema under the number/);
    assert.equal(await running.registryAnswers?.(), false);

    // A record of another writer, whose schema the registry no longer has either: the reader waits.
    const client = new kafkajs.Kafka({ brokers: [...kafka.brokers], logLevel: kafkajs.logLevel.NOTHING });
    const producer = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
    await producer.connect();
    const value = openCodec(topic.schema).encode(4_242, tick(3));
    await producer.send({ topic: topic.name, messages: [{ key: game, value }] });
    await producer.disconnect();
    await until('it says what it waits for', () => warned.some((line) => line.includes('restore its data')));
    assert.deepEqual(
      member.records().map((record) => numberOf(record.value)),
      [1, 2],
    );
    assert.equal(member.failure, null);
    await member.stop();
    await Promise.all([running, again, late].map((broker) => broker.close()));
  });
});
