// The distributed edition on the run's real services: Kafka with its registry, PostgreSQL, S3, Redis. Each service
// started here has a database, a bucket and topics of its own. The product uses fixed topic names, so the broker port
// renames them.
import kafkajs from 'kafkajs';
import type { Broker, Consumer } from '../../../core/ports/broker.ts';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { services } from '../services/services.ts';
import { unique } from '../services/unique.ts';
import type { Setting } from './two-editions.ts';

const [kafka, registry, s3, postgres, redis] = [
  await services.kafka(),
  await services.registry(),
  await services.s3(),
  await services.postgres(),
  await services.redis(),
];

/** Why the edition cannot run here; false if it can. */
export const distributedSkip = kafka.skip || registry.skip || s3.skip || postgres.skip || redis.skip;

/** Settings and drivers for one service of the edition, and a way to remove what it used. */
export async function distributedEdition(partitions = 4): Promise<Setting> {
  if (kafka.skip !== false || registry.skip !== false || s3.skip !== false || distributedSkip !== false) {
    throw new Error('the distributed edition cannot run here: a service is missing');
  }
  const database = await postgres.createMigratedDatabase();
  const bucket = await s3.createBucket();
  process.env.AWS_ACCESS_KEY_ID = s3.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = s3.secretAccessKey;
  const prefix = `${unique('t')}.`;
  const { brokers } = kafka;
  const { url: registryUrl } = registry;
  return {
    deleteBelow: (topic, partition, offset) => deleteFromKafka(brokers, prefix + topic, partition, offset),
    environment: {
      SDS_EDITION: 'distributed',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      KAFKA_BROKERS: brokers.join(','),
      SCHEMA_REGISTRY_URL: registryUrl,
      S3_BUCKET: bucket,
      S3_ENDPOINT: s3.endpoint,
      AWS_REGION: s3.region,
      SDS_KEY_PEPPERS: `1:${Buffer.from('a pepper that only tests know').toString('base64')}`,
    },
    async openBroker() {
      const topics = serviceTopics(partitions).map((topic) => ({ ...topic, name: prefix + topic.name }));
      return renameTopics(openKafkaBroker({ brokers, registry: { url: registryUrl }, topics }), prefix);
    },
    drop: () => database.drop(),
  };
}

/** Deletes records as Kafka does when a topic's retention is over. */
async function deleteFromKafka(brokers: readonly string[], topic: string, partition: number, offset: number) {
  const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    // The library deletes only from topics whose offsets it has fetched.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] });
  } finally {
    await admin.disconnect();
  }
}

/** Gives the topics and groups of `broker` a prefix that its users do not see. */
export function renameTopics(broker: Broker, prefix: string): Broker {
  return {
    prepare: () => broker.prepare(),
    partitions: (topic) => broker.partitions(prefix + topic),
    addPartitions: (topic, partitions) => broker.addPartitions(prefix + topic, partitions),
    partitionOf: (topic, key) => broker.partitionOf(prefix + topic, key),
    produce: (topic, records) => broker.produce(prefix + topic, records),
    consume: ({ topic, group }, handlers): Promise<Consumer> =>
      broker.consume({ topic: prefix + topic, group: prefix + group }, handlers),
    watermarks: (topic) => broker.watermarks(prefix + topic),
    offsetAt: (topic, partition, time) => broker.offsetAt(prefix + topic, partition, time),
    read: (topic, partition, from, to) => broker.read(prefix + topic, partition, from, to),
    writerSchema: (id) => broker.writerSchema(id),
    healthy: () => broker.healthy(),
    registryAnswers: async () => (await broker.registryAnswers?.()) ?? true,
    close: () => broker.close(),
  };
}
