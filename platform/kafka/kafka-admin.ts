// Admin calls to the cluster: topics and their offsets. Uses one connection, opened on demand and discarded on failure, because the
// library's own recovery takes longer than reconnecting. Each call may be made twice: one that changes something finds its work done.
import kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { Micros, Millis } from '../../core/units.ts';
import { maxBatchBytes, type TopicSettings } from '../broker/topic-settings.ts';
import { sleep } from '../process/clock.ts';
import { asBrokerError, causeOf, isProtocolError } from './errors.ts';

type PartitionRange = { partition: number; low: number; high: number };

export interface KafkaAdmin {
  /** Creates the topic if it is missing. An existing one stays as it is: a key must never move. */
  createTopic(topic: TopicSettings, replication: number): Promise<void>;
  partitions(topic: string): Promise<number>;
  /** Adds partitions to a topic that has fewer; resolves once the cluster's metadata names them. */
  addPartitions(topic: string, partitions: number): Promise<void>;
  /** By partition; empty if the topic does not exist. */
  ranges(topic: string): Promise<readonly PartitionRange[]>;
  /** The first offset of records stamped `time` or later, otherwise the partition's end. */
  offsetAt(topic: string, partition: number, time: Micros): Promise<number>;
  /** Whether a broker answers within `ms`. */
  answers(ms: Millis): Promise<boolean>;
  close(): Promise<void>;
}

const createTimeoutMs: Millis = 10_000;
const lookAgainMs: Millis = 100;
const mostLooks = 100;

/** Waits until the metadata of the cluster names a new topic or new partitions. @throws BrokerUnavailable when it still does not */
async function untilShown(what: string, isShown: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isShown()); looks += 1) {
    if (looks === mostLooks) throw new BrokerUnavailable(`Kafka does not show ${what} yet`);
    await sleep(lookAgainMs);
  }
}

export function openKafkaAdmin(client: kafkajs.Kafka): KafkaAdmin {
  let connected: Promise<kafkajs.Admin> | null = null;
  /** For a missing topic the library retries as if a broker were down, so known topics are remembered. */
  const existing = new Set<string>();

  function connect(): Promise<kafkajs.Admin> {
    if (connected !== null) return connected;
    const admin = client.admin();
    const connecting = admin.connect().then(
      () => admin,
      async (error: unknown) => {
        if (connected === connecting) connected = null;
        await admin.disconnect().catch(() => {});
        throw error;
      },
    );
    connected = connecting;
    return connecting;
  }

  /** Asks once more over a new connection if an earlier one fails: a broker that has restarted meanwhile answers. */
  async function ask<Answer>(question: (admin: kafkajs.Admin) => Promise<Answer>): Promise<Answer> {
    const isEarlier = connected !== null;
    try {
      return await askOnce(question);
    } catch (error) {
      if (!isEarlier || !(error instanceof BrokerUnavailable)) throw error;
      return askOnce(question);
    }
  }

  async function askOnce<Answer>(question: (admin: kafkajs.Admin) => Promise<Answer>): Promise<Answer> {
    const asked = connect();
    try {
      return await question(await asked);
    } catch (error) {
      if (connected === asked) {
        connected = null;
        void asked.then((admin) => admin.disconnect()).catch(() => {});
      }
      throw asBrokerError(error);
    }
  }

  async function countPartitions(topic: string): Promise<number> {
    const { topics } = await ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    return topics[0]?.partitions.length ?? 0;
  }

  return {
    createTopic: (topic, replication) => ask((admin) => createTopic(admin, topic, replication)),
    partitions: countPartitions,
    async addPartitions(topic, partitions) {
      const wanted = { topic, count: partitions };
      try {
        await ask((admin) => admin.createPartitions({ topicPartitions: [wanted], timeout: createTimeoutMs }));
      } catch (error) {
        // The topic has as many: another process was faster, or the answer to the first call was lost.
        const cause = causeOf(error);
        if (!isProtocolError(cause) || cause.type !== 'INVALID_PARTITIONS') throw error;
      }
      const isShown = async () => (await countPartitions(topic)) >= partitions;
      await untilShown(`${partitions} partitions of ${topic}`, isShown);
    },
    async ranges(topic) {
      if (!existing.has(topic)) {
        for (const name of await ask((admin) => admin.listTopics())) existing.add(name);
        if (!existing.has(topic)) return [];
      }
      const offsets = await ask((admin) => admin.fetchTopicOffsets(topic));
      return offsets
        .map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
        .sort((a, b) => a.partition - b.partition);
    },
    async offsetAt(topic, partition, time) {
      // Kafka's timestamps are whole milliseconds.
      const offsets = await ask((admin) => admin.fetchTopicOffsetsByTimestamp(topic, Math.ceil(time / 1_000)));
      const found = offsets.find((each) => each.partition === partition);
      if (found === undefined) throw new Error(`${topic} has no partition ${partition}`);
      return Number(found.offset);
    },
    async answers(ms) {
      const late = new AbortController();
      const answered = ask((admin) => admin.describeCluster()).then(
        () => true,
        () => false,
      );
      const answer = await Promise.race([answered, sleep(ms, late.signal).then(() => false)]);
      late.abort();
      return answer;
    },
    async close() {
      const closing = connected;
      connected = null;
      await closing?.then((admin) => admin.disconnect()).catch(() => {});
    },
  };
}

const msPerDay: Millis = 24 * 60 * 60 * 1_000;

async function createTopic(admin: kafkajs.Admin, topic: TopicSettings, replication: number): Promise<void> {
  // Check first: the library logs an existing topic as an error, which every start but the first would trigger.
  if ((await admin.listTopics()).includes(topic.name)) return;
  const config = topicConfig(topic, replication);
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  const wanted = { topic: topic.name, numPartitions: topic.partitions, replicationFactor: replication, configEntries };
  try {
    // Returns false if another process was faster.
    await admin.createTopics({ topics: [wanted], timeout: createTimeoutMs });
  } catch (error) {
    const cause = causeOf(error);
    const errors = cause instanceof kafkajs.KafkaJSAggregateError ? cause.errors : [cause];
    const first = errors[0] ?? error;
    // The library asks for the new topic's leaders at once, and the broker may not have heard of the topic that it has just created.
    if (!isProtocolError(first) || first.type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw first;
    await untilShown(`the new topic ${topic.name}`, async () => (await admin.listTopics()).includes(topic.name));
  }
}

/** The settings of a new topic. */
export function topicConfig(topic: TopicSettings, replication: number): Readonly<Record<string, string>> {
  return {
    'message.timestamp.type': 'LogAppendTime',
    // With three or more replicas, one may be down.
    'min.insync.replicas': String(replication >= 3 ? 2 : 1),
    'max.message.bytes': String(maxBatchBytes),
    'cleanup.policy': topic.compacted === true ? 'compact' : 'delete',
    // Kept forever if logs are rebuilt from it, until the administrator decides otherwise.
    'retention.ms': topic.keptDays === undefined ? '-1' : String(topic.keptDays * msPerDay),
    ...topic.config,
  };
}
