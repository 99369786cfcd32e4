// Kafka as a Broker, by kafkajs, with Avro and a Confluent-compatible schema registry. What kafkajs does that the port forbids — silent
// jumps, reused sequence numbers, heartbeats that wait for handlers, unbounded inflation — is dealt with in this folder.
import type kafkajs from 'kafkajs';
import { partitionOfKey } from '../../core/partition-of-key.ts';
import type { Broker, Consumer, OutgoingRecord } from '../../core/ports/broker.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { type Codec, openCodec } from '../avro/codec.ts';
import { openWriterSchemas, type WriterSchemas } from '../avro/writer-schemas.ts';
import { type GroupCommit, openGroupCommit } from '../broker/group-commit.ts';
import { serviceTopics, type TopicSettings } from '../broker/topic-settings.ts';
import { type ClientRole, openClient, type Sasl } from './client.ts';
import { startGroupConsumer } from './group-consumer.ts';
import { openIdempotentProducer } from './idempotent-producer.ts';
import { openKafkaAdmin } from './kafka-admin.ts';
import { readRange } from './range-reader.ts';
import { openRegistry } from './registry.ts';

export type KafkaBrokerOptions = {
  brokers: readonly string[];
  registryUrl: string;
  sasl?: Sasl | null;
  ssl?: boolean;
  clientId?: string;
  log?: Log;
  /** Partitions and replicas of topics that are made; `topics` unless the service's own. */
  partitions?: number;
  replication?: number;
  topics?: readonly TopicSettings[];
  /** How long a member that has died keeps its partitions. */
  sessionMs?: Millis;
};

type OpenTopic = {
  name: string;
  partitions: number;
  schemaId: number;
  codec: Codec;
  schemas: WriterSchemas;
  commits: GroupCommit<kafkajs.Message>;
};

const defaultPartitions = 8;
const defaultSessionMs: Millis = 15_000;
const producePatienceMs: Millis = 9_000;
const healthPatienceMs: Millis = 2_000;
/** Largest value, key and headers of one record, and of what goes to a partition in one request: below the topic's limit. */
const maxRecordBytes = 1_000_000;

const adminRole: ClientRole = {
  connectionTimeoutMs: 2_000,
  requestTimeoutMs: 5_000,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 },
};
const producerRole: ClientRole = { connectionTimeoutMs: 1_000, requestTimeoutMs: 3_000, retry: { retries: 0 } };

export function openKafkaBroker(options: KafkaBrokerOptions): Broker {
  const log = options.log ?? silentLog;
  const clientId = options.clientId ?? 'sds';
  const { brokers, sasl = null, ssl = false, replication = 1 } = options;
  const newClient = (role: ClientRole) => openClient({ brokers, clientId, sasl, ssl, log }, role);
  const settings = new Map(
    (options.topics ?? serviceTopics(options.partitions ?? defaultPartitions)).map((topic) => [topic.name, topic]),
  );
  const admin = openKafkaAdmin(newClient(adminRole));
  const producer = openIdempotentProducer(newClient(producerRole));
  const registry = openRegistry(options.registryUrl, clientId);
  const topics = new Map<string, Promise<OpenTopic>>();
  const consumers = new Set<Consumer>();

  /** The topic, made if need be; asked for again after a failure. */
  function topic(name: string): Promise<OpenTopic> {
    const held = topics.get(name);
    if (held !== undefined) return held;
    const wanted = settings.get(name);
    if (wanted === undefined) return Promise.reject(new Error(`the log knows no topic ${name}`));
    const opening = openTopic(wanted).catch((error: unknown) => {
      topics.delete(name);
      throw error;
    });
    topics.set(name, opening);
    return opening;
  }

  async function openTopic(wanted: TopicSettings): Promise<OpenTopic> {
    await admin.createTopic(wanted, replication);
    const partitions = await admin.partitions(wanted.name);
    const schemaId = await registry.register(`${wanted.name}-value`, wanted.schema);
    const codec = openCodec(wanted.schema);
    const schemas = openWriterSchemas(codec, registry.lookup, log);
    schemas.note(schemaId, wanted.schema);
    const commits = openGroupCommit<kafkajs.Message>({
      flush: (messages) => producer.send(wanted.name, messages),
      sizeOf: sizeOfMessage,
      partitionOf: (message) => message.partition as number,
      maxPartitionBytes: maxRecordBytes,
      maxItems: 20_000,
      patienceMs: producePatienceMs,
    });
    return { name: wanted.name, partitions, schemaId, codec, schemas, commits };
  }

  return {
    async prepare() {
      for (const name of settings.keys()) await topic(name);
    },
    async partitions(name) {
      return (await topic(name)).partitions;
    },
    async partitionOf(name, key) {
      return partitionOfKey(key, (await topic(name)).partitions);
    },
    async produce(name, records) {
      const into = await topic(name);
      await into.commits.append(records.map((record) => messageOf(into, record)));
    },
    async consume({ topic: name, group }, handlers) {
      const { schemas } = await topic(name);
      const tools = { newClient, admin, schemas, log, sessionMs: options.sessionMs ?? defaultSessionMs };
      const consumer = await startGroupConsumer(tools, name, group, handlers);
      consumers.add(consumer);
      return {
        acknowledge: consumer.acknowledge,
        async stop() {
          await consumer.stop();
          consumers.delete(consumer);
        },
      };
    },
    async watermarks(name) {
      await topic(name);
      return admin.ranges(name);
    },
    async *read(name, partition, from, to) {
      const { schemas } = await topic(name);
      yield* readRange({ newClient, admin, schemas, groupPrefix: clientId }, name, partition, from, to);
    },
    healthy: () => admin.answers(healthPatienceMs),
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      for (const opening of topics.values()) {
        const opened = await opening.catch(() => null);
        await opened?.commits.close();
      }
      await producer.close();
      await admin.close();
    },
  };
}

function messageOf(topic: OpenTopic, record: OutgoingRecord): kafkajs.Message {
  const message: kafkajs.Message = {
    partition: partitionOfKey(record.key, topic.partitions),
    key: record.key,
    value: topic.codec.encode(topic.schemaId, record.value),
    ...(record.headers === undefined ? {} : { headers: { ...record.headers } }),
  };
  const size = sizeOfMessage(message);
  if (size > maxRecordBytes) throw new RangeError(`a record of ${size} bytes: ${maxRecordBytes} are taken`);
  return message;
}

/** Bytes as they count against the topic's limit, the record's own frame included. */
function sizeOfMessage({ key, value, headers }: kafkajs.Message): number {
  let size = 32 + Buffer.byteLength(key ?? '') + (value?.length ?? 0);
  for (const [name, text] of Object.entries(headers ?? {}))
    size += 8 + Buffer.byteLength(name) + Buffer.byteLength(`${text}`);
  return size;
}
