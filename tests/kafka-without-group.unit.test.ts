// The library's own word for having no group, which a partition that is handed over meanwhile must not end for: the message is the library's, so
// it is asked of the library itself.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import kafkajs from 'kafkajs';
import { isWithoutGroup } from '../platform/kafka/errors.ts';

it('seek, pause and resume without a group are known as such, and nothing else is', () => {
  const client = new kafkajs.Kafka({ brokers: ['127.0.0.1:1'], logLevel: kafkajs.logLevel.NOTHING });
  const consumer = client.consumer({ groupId: 'g' });
  const said = (order: () => void): unknown => {
    try {
      order();
    } catch (error) {
      return error;
    }
    return null;
  };
  assert.ok(isWithoutGroup(said(() => consumer.seek({ topic: 't', partition: 0, offset: '1' }))));
  assert.ok(isWithoutGroup(said(() => consumer.pause([{ topic: 't' }]))));
  assert.ok(isWithoutGroup(said(() => consumer.resume([{ topic: 't' }]))));
  assert.ok(!isWithoutGroup(said(() => consumer.seek({ topic: 't', partition: 0, offset: 'x' }))));
  assert.ok(!isWithoutGroup(new Error('Consumer group was not initialized')));
});
