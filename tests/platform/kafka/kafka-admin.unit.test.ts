// Creating a topic: the broker that has just created it may answer for a moment that it does not know it.
import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { BrokerUnavailable } from '../../../core/ports/broker.ts';
import { openKafkaAdmin } from '../../../platform/kafka/kafka-admin.ts';
import { quotesTopic } from '../../support/contracts/broker-subjects.ts';

const failures = {
  unknown: { type: 'UNKNOWN_TOPIC_OR_PARTITION', code: 3 },
  refused: { type: 'POLICY_VIOLATION', code: 44 },
} as const;

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
