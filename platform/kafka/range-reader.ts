// Reads a range of one partition once. kafkajs only reads through groups, so the reader forms a private group of one, takes the one
// partition, commits nothing and leaves.
import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import type { DeliveredBatch } from '../../core/ports/broker.ts';
import { OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { Decoded } from '../avro/codec.ts';
import type { WriterSchemas } from '../avro/writer-schemas.ts';
import { deliveredRecord } from './delivered-records.ts';
import { asBrokerError, causeOf, isProtocolError } from './errors.ts';
import { type Fetching, passEmptyBatch, takeBatch } from './fetch-positions.ts';
import type { KafkaAdmin } from './kafka-admin.ts';
import type { ClientRole, LibraryLine } from './kafkajs-client.ts';
import { PartitionQueue } from './partition-queue.ts';

type ReaderTools = {
  newClient(role: ClientRole): kafkajs.Kafka;
  admin: KafkaAdmin;
  schemas: WriterSchemas;
  groupPrefix: string;
};

const { AssignerProtocol } = kafkajs;

const role = {
  connectionTimeoutMs: 2_000,
  requestTimeoutMs: 10_000,
  retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 8 },
};

export async function* readRange(
  tools: ReaderTools,
  topic: string,
  partition: number,
  from: number,
  to: number,
): AsyncIterable<DeliveredBatch> {
  if (from >= to) return;
  await assertHeld(tools.admin, topic, partition, from, to);
  const stop = new AbortController();
  const fetching: Fetching = { position: from, queue: new PartitionQueue() };
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    fetching.queue.close();
  };
  const partitions = [partition];
  let paused = false;
  const finishAtEnd = () => {
    if (fetching.position >= to) fetching.queue.finish();
  };

  /** kafkajs reports an offset out of range only in its log, and then fetches nothing if the rest is deleted. */
  const noticeJump = (line: LibraryLine): void => {
    if (!line.message.startsWith('Offset out of range') || line.partition !== partition) return;
    void assertHeld(tools.admin, topic, partition, fetching.position, to).catch(fail);
  };

  const consumer = tools.newClient({ ...role, onLine: noticeJump }).consumer({
    groupId: `${tools.groupPrefix}-read-${randomUUID()}`,
    partitionAssigners: [onlyPartition(partition)],
    maxWaitTimeInMs: 100,
    allowAutoTopicCreation: false,
    retry: { ...role.retry, restartOnFailure: async (error) => isCoordinatorLoading(error) },
  });
  consumer.on(consumer.events.GROUP_JOIN, () => {
    consumer.seek({ topic, partition, offset: String(fetching.position) });
  });
  consumer.on(consumer.events.START_BATCH_PROCESS, ({ payload }) => {
    passEmptyBatch(fetching, payload);
    finishAtEnd();
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) fail(asBrokerError(payload.error));
  });

  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      async eachBatch({ batch }) {
        if (fetching.queue.closed) return;
        if (!takeBatch(fetching, batch)) return fail(new OffsetOutOfRange(partition, fetching.position));
        finishAtEnd();
        if (fetching.queue.isFull || fetching.position >= to) {
          paused = true;
          consumer.pause([{ topic, partitions }]);
        }
      },
    });
    for (let next = await fetching.queue.take(); next !== null; next = await fetching.queue.take()) {
      if (paused && fetching.queue.hasRoom && fetching.position < to) {
        paused = false;
        consumer.resume([{ topic, partitions }]);
      }
      const messages = next.messages.filter((message) => Number(message.offset) < to);
      const values = await tools.schemas.decodeAll(
        messages.map((message) => message.value),
        stop.signal,
      );
      const records = messages.map((message, index) => {
        return deliveredRecord(message, values[index] as Decoded);
      });
      if (records.length > 0) yield { topic, partition, records, highWatermark: next.highWatermark };
    }
    if (failure !== null) throw failure;
  } finally {
    stop.abort();
    fetching.queue.close();
    await consumer.disconnect().catch(() => {});
  }
}

/** A coordinator that has just started is ready within moments; other errors are the caller's to retry. */
function isCoordinatorLoading(error: Error): boolean {
  const cause = causeOf(error);
  return isProtocolError(cause) && cause.type === 'GROUP_LOAD_IN_PROGRESS';
}

async function assertHeld(admin: KafkaAdmin, topic: string, partition: number, from: number, to: number) {
  const range = (await admin.ranges(topic)).find((each) => each.partition === partition);
  if (range === undefined || from < range.low || from > range.high) throw new OffsetOutOfRange(partition, from);
  if (to > range.high) throw new OffsetOutOfRange(partition, range.high);
}

function onlyPartition(partition: number): kafkajs.PartitionAssigner {
  return () => ({
    name: 'sds-one',
    version: 1,
    async assign({ members, topics }) {
      const assignment = Object.fromEntries(topics.map((topic) => [topic, [partition]]));
      return members.map(({ memberId }) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version: 1,
          assignment,
          userData: Buffer.alloc(0),
        }),
      }));
    },
    protocol({ topics }) {
      const metadata = AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) });
      return { name: this.name, metadata };
    },
  });
}
