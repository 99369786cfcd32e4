// Kafka as a Broker, through kafkajs, with Avro and a Confluent-compatible schema registry. This folder works around what kafkajs does
// against the port's promises: silent jumps, reused sequence numbers, heartbeats that wait for handlers, unbounded inflation.
import { partitionOfKey } from '../../core/partition-of-key.ts';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { KnownSchema, TopicSchemasCatalog } from '../../core/ports/catalog/topic-schemas.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { type Codec, openCodec } from '../avro/codec.ts';
import { openWriterSchemas, type WriterSchemas } from '../avro/writer-schemas.ts';
import { openConsumers } from '../broker/open-consumers.ts';
import { openTopics } from '../broker/open-topics.ts';
import { partitionOfRecord } from '../broker/partition-of-record.ts';
import { maxRecordBytes, serviceTopics, type TopicSettings } from '../broker/topic-settings.ts';
import type { RegistryLink, Sasl } from '../config/link-settings.ts';
import type { TlsFiles } from '../links/tls-files.ts';
import { startGroupConsumer } from './group-consumer.ts';
import { openKafkaAdmin } from './kafka-admin.ts';
import { type ClientRole, openClient } from './kafkajs-client.ts';
import { lostSchema, trustedLookup } from './lost-schemas.ts';
import { readRange } from './range-reader.ts';
import { registerSchema } from './register-schema.ts';
import { openRegistry } from './registry.ts';
import { openTopicAppender, type PlacedMessage, sizeOfMessage, type TopicAppender } from './topic-appender.ts';

export type KafkaBrokerOptions = {
  brokers: readonly string[];
  registry: RegistryLink;
  sasl?: Sasl | null;
  /** Left out or null: no TLS. */
  tls?: TlsFiles | null;
  clientId?: string;
  log?: Log;
  /** Where the ids of our schemas are remembered. Left out: only in this process. */
  schemas?: TopicSchemasCatalog;
  /** Partitions and replicas of new topics; `topics` replaces the service's own. */
  partitions?: number;
  replication?: number;
  topics?: readonly TopicSettings[];
  /** How long a dead member keeps its partitions. */
  sessionMs?: Millis;
};

type OpenTopic = {
  name: string;
  /** As far as this process has heard. */
  partitions: number;
  /** Our schema, with its id. */
  schema: KnownSchema;
  codec: Codec;
  schemas: WriterSchemas;
  appender: TopicAppender;
};

const defaultPartitions = 8;
/** Longer than any statement may take in PostgreSQL, so that waiting for the database alone ends no session. */
const defaultSessionMs: Millis = 12_000;
const healthPatienceMs: Millis = 2_000;

const adminRole: ClientRole = {
  connectionTimeoutMs: 2_000,
  requestTimeoutMs: 5_000,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 },
};
const producerRole: ClientRole = { connectionTimeoutMs: 1_000, requestTimeoutMs: 3_000, retry: { retries: 0 } };

export function openKafkaBroker(options: KafkaBrokerOptions): Broker {
  const log = options.log ?? silentLog;
  const clientId = options.clientId ?? 'sds';
  const { brokers, sasl = null, tls = null, replication = 1 } = options;
  const newClient = (role: ClientRole) => openClient({ brokers, clientId, sasl, tls, log }, role);
  const admin = openKafkaAdmin(newClient(adminRole));
  const registry = openRegistry(options.registry, clientId);
  const settings = options.topics ?? serviceTopics(options.partitions ?? defaultPartitions);
  const { names, topic, held, opened } = openTopics(settings, openTopic);
  const consumers = openConsumers();

  async function openTopic(wanted: TopicSettings): Promise<OpenTopic> {
    await admin.createTopic(wanted, replication);
    const partitions = await admin.partitions(wanted.name);
    const known = await registerSchema(registry, options.schemas ?? null, wanted);
    const codec = openCodec(wanted.schema, wanted.longestString);
    const schemas = openWriterSchemas(codec, trustedLookup(registry.lookup, known), log);
    for (const { id, schema } of known) schemas.note(id, schema);
    const appender = openTopicAppender(newClient(producerRole), wanted.name);
    const schema = known.at(-1) as KnownSchema;
    return { name: wanted.name, partitions, schema, codec, schemas, appender };
  }

  /** Notes how many partitions the topic has now. */
  async function count(known: OpenTopic): Promise<number> {
    // A broker that has not heard of new partitions yet takes none away.
    known.partitions = Math.max(known.partitions, await admin.partitions(known.name));
    return known.partitions;
  }

  async function hasSchemas(): Promise<boolean> {
    const ours = (await opened()).map(({ schema }) => schema);
    if (ours.length === 0) return registry.answers(`${names[0]}-value`);
    return lostSchema(registry.lookup, ours).then(
      (lost) => lost === null,
      () => false,
    );
  }

  return {
    async prepare() {
      for (const name of names) await topic(name);
    },
    async partitions(name) {
      return count(await topic(name));
    },
    async addPartitions(name, partitions) {
      const grown = await topic(name);
      if ((await count(grown)) < partitions) await admin.addPartitions(name, partitions);
      await count(grown);
    },
    async partitionOf(name, key) {
      return partitionOfKey(key, (await topic(name)).partitions);
    },
    async produce(name, records) {
      const into = await topic(name);
      // Another process may have added the partition.
      if (records.some(({ partition }) => partition !== undefined && partition >= into.partitions)) await count(into);
      return into.appender.append(records.map((record) => messageOf(into, record)));
    },
    async consume({ topic: name, group }, handlers) {
      const { schemas } = await topic(name);
      const tools = { newClient, admin, schemas, log, sessionMs: options.sessionMs ?? defaultSessionMs };
      return consumers.keep(await startGroupConsumer(tools, name, group, handlers));
    },
    async watermarks(name) {
      // Does not need the registry, so the log answers even while the registry is down.
      held(name);
      return admin.ranges(name);
    },
    async offsetAt(name, partition, time) {
      await topic(name);
      return admin.offsetAt(name, partition, time);
    },
    async *read(name, partition, from, to) {
      const { schemas } = await topic(name);
      yield* readRange({ newClient, admin, schemas, groupPrefix: clientId }, name, partition, from, to);
    },
    writerSchema: (id) => registry.lookup(id),
    healthy: () => admin.answers(healthPatienceMs),
    registryAnswers: hasSchemas,
    async close() {
      await consumers.stopAll();
      for (const { appender } of await opened()) await appender.close();
      await admin.close();
    },
  };
}

function messageOf(topic: OpenTopic, record: OutgoingRecord): PlacedMessage {
  const message: PlacedMessage = {
    partition: partitionOfRecord(record, topic),
    key: record.key,
    value: topic.codec.encode(topic.schema.id, record.value),
    ...(record.headers === undefined ? {} : { headers: { ...record.headers } }),
  };
  const size = sizeOfMessage(message);
  if (size > maxRecordBytes) throw new RangeError(`a record of ${size} bytes: ${maxRecordBytes} are taken`);
  return message;
}
