// The implementations of the log for the contract suite: each as several instances, which stand for processes, with
// what only a test does to a log: write bytes that are no record, drop records, take the log down and bring it back.
import kafkajs from 'kafkajs';
import type { Broker } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import type { TopicSettings } from '../../../platform/broker/topic-settings.ts';
import { openEmbeddedLog } from '../../../platform/embedded-log/embedded-log.ts';
import { appendRecords, findTopic } from '../../../platform/embedded-log/log-table.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { migrate } from '../../../platform/postgres/migrate.ts';
import { openPool, type Sql } from '../../../platform/postgres/sql.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { services } from '../services/services.ts';
import { unique } from '../services/unique.ts';

export interface Subject {
  /** Where the log is, for another process to open it too. */
  address: Address;
  /** Opens an instance of the driver, as a process of its own would; `close` it. */
  open(topics: readonly TopicSettings[]): Broker;
  /** Puts bytes on the topic without the driver. */
  putRaw(topic: string, partition: number, key: string, bytes: Buffer): Promise<void>;
  /** Deletes the records of a partition below `offset` from the log. */
  dropBefore(topic: string, partition: number, offset: number): Promise<void>;
  close(): Promise<void>;
}

export type Address = { postgres: string } | { brokers: readonly string[]; registryUrl: string };

/** A log that a test can take down. */
export interface FragileSubject extends Subject {
  kill(): Promise<void>;
  freeze(): Promise<void>;
  resume(): Promise<void>;
  restart(): Promise<void>;
}

export type Implementation = {
  name: string;
  skip: string | false;
  shared(): Promise<Subject>;
  fragile(): Promise<FragileSubject>;
};

/** A topic of quotes with a unique name. */
export function quotesTopic(partitions: number): TopicSettings {
  return { name: unique('quotes'), partitions, schema: eventSchema(topics.quotes) };
}

export const sessionMs = 6_000;

async function openEmbedded(url: string): Promise<Subject> {
  const sqls: Sql[] = [];
  const connect = () => {
    const sql = openPool({ connection: url, maxConnections: 8 });
    sqls.push(sql);
    return sql;
  };
  const sql = connect();
  await migrate(sql, silentLog);
  return {
    address: { postgres: url },
    open: (settings) => openEmbeddedLog({ sql: connect(), topics: settings, sessionMs }),
    async putRaw(topic, partition, key, value) {
      const row = await findTopic(sql, topic);
      await appendRecords(sql, row?.id ?? 0, [{ partition, key, headers: {}, value }], 'another process');
    },
    async dropBefore(topic, partition, offset) {
      const log = openEmbeddedLog({ sql, topics: [{ ...quotesTopic(1), name: topic }] });
      while ((await log.forget(topic, partition, { before: null, below: offset })).more);
    },
    async close() {
      await Promise.all(sqls.map((each) => each.close()));
    },
  };
}

/** The log in PostgreSQL. */
export async function embeddedImplementation(): Promise<Implementation> {
  const postgres = await services.postgres();
  return {
    name: 'embedded log',
    skip: postgres.skip,
    async shared() {
      const { url, drop } = await postgres.createDatabase();
      const subject = await openEmbedded(url);
      return {
        ...subject,
        async close() {
          await subject.close();
          await drop();
        },
      };
    },
    async fragile() {
      const server = await services.own.postgres();
      const { url } = await server.createDatabase();
      const subject = await openEmbedded(url);
      return {
        ...subject,
        kill: server.kill,
        freeze: server.freeze,
        resume: server.resume,
        restart: server.restart,
        async close() {
          await subject.close();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  };
}

async function openKafka(brokers: readonly string[], registryUrl: string): Promise<Subject> {
  const client = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
  const admin = client.admin();
  const producer = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await Promise.all([admin.connect(), producer.connect()]);
  return {
    address: { brokers, registryUrl },
    open: (settings) => openKafkaBroker({ brokers, registry: { url: registryUrl }, topics: settings, sessionMs }),
    async putRaw(topic, partition, key, value) {
      await producer.send({ topic, messages: [{ partition, key, value }] });
    },
    async dropBefore(topic, partition, offset) {
      // The library deletes only from topics whose offsets it has fetched.
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] });
    },
    async close() {
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    },
  };
}

/** Kafka with a schema registry. */
export async function kafkaImplementation(): Promise<Implementation> {
  const [kafka, registry] = await Promise.all([services.kafka(), services.registry()]);
  return {
    name: 'Kafka',
    skip: kafka.skip || registry.skip,
    shared: () => openKafka(kafka.brokers, registry.url),
    async fragile() {
      const server = await services.own.kafka();
      const subject = await openKafka(server.brokers, registry.url);
      return {
        ...subject,
        kill: server.kill,
        freeze: server.freeze,
        resume: server.resume,
        restart: server.restart,
        async close() {
          await subject.close();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  };
}
