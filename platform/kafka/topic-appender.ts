// Appends to the partitions of one topic, each on its own: a producer and a group commit a partition, opened when it is first written to. So
// a partition whose leader is away or standing still delays nobody else, and what becomes of a record hangs on one broker's one answer.
import type kafkajs from 'kafkajs';
import { BrokerUnavailable, type Ends } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { type GroupCommit, openGroupCommit } from '../broker/group-commit.ts';
import { maxRecordBytes } from '../broker/topic-settings.ts';
import { type IdempotentProducer, openIdempotentProducer } from './idempotent-producer.ts';

/** A message that says where it goes. */
export type PlacedMessage = kafkajs.Message & { partition: number };

export interface TopicAppender {
  /**
   * Appends the messages, in order within a partition; answers when every partition has answered. @throws BrokerUnavailable: of the partitions that
   * failed none, some or all may be in the log, those of the others are.
   */
  append(messages: readonly PlacedMessage[]): Promise<Ends>;
  close(): Promise<void>;
}

type Partition = { producer: IdempotentProducer; commits: GroupCommit<PlacedMessage> };

const maxItems = 20_000;
const patienceMs: Millis = 9_000;

/** The appender of a topic. Nothing is connected before the first call. */
export function openTopicAppender(client: kafkajs.Kafka, topic: string): TopicAppender {
  const partitions = new Map<number, Partition>();
  let closed = false;

  function partitionOf(number: number): Partition {
    const held = partitions.get(number);
    if (held !== undefined) return held;
    const producer = openIdempotentProducer(client, topic, number);
    const commits = openGroupCommit<PlacedMessage>({
      flush: async (messages) => new Map([[number, await producer.send(messages)]]),
      sizeOf: sizeOfMessage,
      partitionOf: () => number,
      maxPartitionBytes: maxRecordBytes,
      maxItems,
      patienceMs,
    });
    const partition = { producer, commits };
    partitions.set(number, partition);
    return partition;
  }

  return {
    async append(messages) {
      if (closed) throw new BrokerUnavailable('the broker is closed');
      const appends = [...Map.groupBy(messages, ({ partition }) => partition)].map(([number, placed]) =>
        partitionOf(number).commits.append(placed),
      );
      const ends = new Map<number, number>();
      for (const each of await Promise.allSettled(appends)) {
        if (each.status === 'rejected') throw each.reason;
        for (const [partition, end] of each.value) ends.set(partition, end);
      }
      return ends;
    },
    async close() {
      closed = true;
      await Promise.all(
        [...partitions.values()].map(async ({ commits, producer }) => {
          await commits.close();
          await producer.close();
        }),
      );
    },
  };
}

/** Bytes as they count against the topic's limit, the record's own frame included. */
export function sizeOfMessage({ key, value, headers }: kafkajs.Message): number {
  let size = 32 + Buffer.byteLength(key ?? '') + (value?.length ?? 0);
  for (const [name, text] of Object.entries(headers ?? {}))
    size += 8 + Buffer.byteLength(name) + Buffer.byteLength(`${text}`);
  return size;
}
