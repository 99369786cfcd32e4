// Creating a topic, and adding partitions: the broker that has just done it may answer for a moment that it has not. And connections that
// a restart of the broker has broken.
import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { BrokerUnavailable } from '../../../core/ports/broker.ts';
import { openKafkaAdmin } from '../../../platform/kafka/kafka-admin.ts';
import { quotesTopic } from '../../support/contracts/broker-subjects.ts';

const failures = {
  unknown: { type: 'UNKNOWN_TOPIC_OR_PARTITION', code: 3 },
  refused: { type: 'POLICY_VIOLATION', code: 44 },
  grown: { type: 'INVALID_PARTITIONS', code: 37 },
} as const;

/** A cluster that adds partitions to a topic of two, and names them from the given look on. */
function openGrowing(shownAtLook: number, failure: Error | null) {
  let [looks, wanted] = [0, 2];
  const admin = {
    async connect() {},
    async disconnect() {},
    async fetchTopicMetadata({ topics: [name] }: { topics: string[] }) {
      looks += 1;
      const length = looks >= shownAtLook ? wanted : 2;
      return { topics: [{ name, partitions: Array.from({ length }, (_, partitionId) => ({ partitionId })) }] };
    },
    async createPartitions({ topicPartitions: [topic] }: { topicPartitions: { count: number }[] }) {
      wanted = topic?.count ?? 0;
      if (failure !== null) throw failure;
      return true;
    },
  };
  return { client: { admin: () => admin } as unknown as kafkajs.Kafka, looks: () => looks };
}

/** A cluster that creates the topic, fails while its leaders are asked for, and lists it from the given look on. */
function openCluster(topic: string, failure: keyof typeof failures, shownAtLook: number) {
  let looks = 0;
  const admin = {
    async connect() {},
    async disconnect() {},
    async listTopics() {
      looks += 1;
      return looks >= shownAtLook ? [topic] : [];
    },
    async createTopics() {
      const { type, code } = failures[failure];
      throw Object.assign(new kafkajs.KafkaJSProtocolError('planned'), { type, code });
    },
  };
  return { client: { admin: () => admin } as unknown as kafkajs.Kafka, looks: () => looks };
}

describe('a topic that is created', () => {
  it('is there once the broker lists it', async () => {
    const topic = quotesTopic(1);
    const { client, looks } = openCluster(topic.name, 'unknown', 4);
    await openKafkaAdmin(client).createTopic(topic, 1);
    assert.equal(looks(), 4);
  });

  it('is refused as the broker says, and not waited for', async () => {
    const topic = quotesTopic(1);
    const { client, looks } = openCluster(topic.name, 'refused', 4);
    await assert.rejects(
      openKafkaAdmin(client).createTopic(topic, 1),
      (error) => !(error instanceof BrokerUnavailable),
    );
    assert.equal(looks(), 1);
  });
});

describe('partitions that are added', () => {
  const topic = quotesTopic(2).name;

  it('are there once the broker names them all', async () => {
    const { client, looks } = openGrowing(4, null);
    await openKafkaAdmin(client).addPartitions(topic, 5);
    assert.equal(looks(), 4);
  });

  it('are there where another process was faster, and are not waited for where the broker refuses them', async () => {
    const failed = (how: keyof typeof failures) =>
      openGrowing(4, Object.assign(new kafkajs.KafkaJSProtocolError('planned'), failures[how]));
    const [grown, refused] = [failed('grown'), failed('refused')];
    await openKafkaAdmin(grown.client).addPartitions(topic, 5);
    assert.equal(grown.looks(), 4, 'the broker names them later than it has them');
    await assert.rejects(
      openKafkaAdmin(refused.client).addPartitions(topic, 5),
      (error) => !(error instanceof BrokerUnavailable),
    );
    assert.equal(refused.looks(), 0);
  });
});

describe('a call to a cluster that has restarted', () => {
  const planned = {
    broken: new TypeError("Cannot read properties of null (reading 'topicMetadata')"),
    refused: Object.assign(new kafkajs.KafkaJSProtocolError('planned'), failures.refused),
  };

  /** A cluster whose first connection fails from its second call on, and whose later connections fail at once if it stays `away`. */
  function openRestarted(failure: Error, away: boolean) {
    const calls: number[] = [];
    const connection = (turn: number) => ({
      async connect() {},
      async disconnect() {},
      async fetchTopicMetadata({ topics: [name] }: { topics: string[] }) {
        calls.push(turn);
        if (turn === 1 ? calls.length > 1 : away) throw failure;
        return { topics: [{ name, partitions: [{ partitionId: 0 }] }] };
      },
    });
    let opened = 0;
    const admin = () => connection(++opened);
    return { client: { admin } as unknown as kafkajs.Kafka, calls };
  }

  it('is made again over a new connection', async () => {
    const { client, calls } = openRestarted(planned.broken, false);
    const admin = openKafkaAdmin(client);
    assert.deepEqual([await admin.partitions('t'), await admin.partitions('t')], [1, 1]);
    assert.deepEqual(calls, [1, 1, 2]);
  });

  it('is made again once, and over a new connection not at all', async () => {
    const { client, calls } = openRestarted(planned.broken, true);
    const admin = openKafkaAdmin(client);
    await admin.partitions('t');
    await assert.rejects(admin.partitions('t'), BrokerUnavailable);
    await assert.rejects(admin.partitions('t'), BrokerUnavailable);
    assert.deepEqual(calls, [1, 1, 2, 3]);
  });

  it('is not made again where the broker has refused it', async () => {
    const { client, calls } = openRestarted(planned.refused, false);
    const admin = openKafkaAdmin(client);
    await admin.partitions('t');
    await assert.rejects(admin.partitions('t'), kafkajs.KafkaJSProtocolError);
    assert.deepEqual(calls, [1, 1]);
  });
});
