// The promises of `produce` over several Kafka brokers that the library's own retries do not keep; uses its real producer over a cluster
// simulated in the test.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { BrokerUnavailable } from '../../../core/ports/broker.ts';
import { openTopicAppender } from '../../../platform/kafka/topic-appender.ts';
import { sleep } from '../../../platform/process/clock.ts';
import { KafkaStandIn } from '../../support/fakes/kafka-stand-in.ts';
import { until } from '../../support/services/until.ts';

/** Appends to both partitions and answers what the log then holds. */
function opened() {
  const kafka = new KafkaStandIn();
  const appender = openTopicAppender(kafka.client(), 't');
  const append = (text: string) =>
    appender.append([0, 1].map((partition) => ({ partition, key: `${partition}`, value: Buffer.from(text) })));
  return { kafka, appender, append };
}

const oneOfEach = new Map([
  [0, ['a']],
  [1, ['a']],
]);

describe('appends over several brokers', () => {
  it('are in the log when a leader moves meanwhile to a broker that has answered', async () => {
    const { kafka, append } = opened();
    kafka.onRequest = async (broker, partitions) => {
      if (broker === 'B' && partitions.includes(1)) kafka.leaders.set(1, 'A');
    };
    await append('a');
    assert.deepEqual(kafka.logs, oneOfEach);
  });

  it('are there once when a partition has no leader for a while', async () => {
    const { kafka, append } = opened();
    kafka.leaders.set(1, 'nobody');
    const appending = append('a');
    await until('the other partition has its record', () => kafka.logs.get(0)?.join() === 'a');
    kafka.leaders.set(1, 'B');
    await appending;
    assert.deepEqual(kafka.logs, oneOfEach);
  });

  it('are there once when one broker is slow to answer and the other refuses', async () => {
    const { kafka, append } = opened();
    let refusals = 0;
    kafka.onRequest = async (broker) => {
      if (broker === 'A') await sleep(300);
      else if (refusals < 2) {
        refusals += 1;
        kafka.leaders.set(1, 'nobody');
        setTimeout(() => kafka.leaders.set(1, 'B'), 20);
      }
    };
    await append('a');
    assert.equal(refusals, 2);
    assert.deepEqual(kafka.logs, oneOfEach);
  });

  it('are there once when the leader of what was written moves before another partition is', async () => {
    const { kafka, append } = opened();
    kafka.losesAnswerOf = 1;
    kafka.onRequest = async (broker) => {
      if (broker === 'A') return;
      await sleep(20);
      kafka.leaders.set(0, 'B');
    };
    await append('a');
    assert.deepEqual(kafka.logs, oneOfEach);
  });

  it('answer behind which offset of each partition they are, also where an answer was lost', async () => {
    const { kafka, appender, append } = opened();
    kafka.logs.get(1)?.push('of another', 'of another');
    assert.deepEqual(
      await append('a'),
      new Map([
        [0, 1],
        [1, 3],
      ]),
    );
    kafka.losesAnswerOf = 1;
    const two = ['b', 'c'].map((text) => ({ partition: 1, key: '1', value: Buffer.from(text) }));
    assert.deepEqual(await appender.append(two), new Map([[1, 5]]));
    assert.deepEqual(kafka.logs.get(1), ['of another', 'of another', 'a', 'b', 'c']);
  });

  it('are there once when an answer is lost', async () => {
    const { kafka, append } = opened();
    kafka.losesAnswerOf = 0;
    await append('a');
    assert.deepEqual(kafka.logs, oneOfEach);
  });

  it('are refused when no broker names the partition, and a producer that failed is never used again', async () => {
    const { kafka, append } = opened();
    await append('a');
    const before = kafka.producers;
    kafka.unknown = 1;
    await assert.rejects(append('b'), BrokerUnavailable);
    kafka.unknown = null;
    await append('c');
    assert.equal(kafka.producers, before + 1);
    assert.deepEqual(
      [kafka.logs.get(0), kafka.logs.get(1)],
      [
        ['a', 'b', 'c'],
        ['a', 'c'],
      ],
    );
  });
});
