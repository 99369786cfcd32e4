// Appends to the partitions of one topic independently: each has its own producer and group commit, opened on first use. A partition with
// an unreachable or stalled leader then delays no other, and the outcome of a record depends on one answer of one broker.
import type kafkajs from 'kafkajs';
import { BrokerUnavailable, type Ends } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import { type GroupCommit, openGroupCommit } from '../broker/group-commit.ts';
import { maxRecordBytes } from '../broker/topic-settings.ts';
import { type IdempotentProducer, openIdempotentProducer } from './idempotent-producer.ts';

/** A message with its partition. */
export type PlacedMessage = kafkajs.Message & { partition: number };

export interface TopicAppender {
  /**
   * Appends the messages, in order within a partition; resolves once every partition has answered. @throws BrokerUnavailable: the records
   * of other partitions are in the log; of those that failed none, some or all may be.
   */
  append(messages: readonly PlacedMessage[]): Promise<Ends>;
  close(): Promise<void>;
}

type Partition = { producer: IdempotentProducer; commits: GroupCommit<PlacedMessage> };

const maxItems = 20_000;
const patienceMs: Millis = 9_000;

/** The appender of a topic. Connects on the first call. */
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

/** The message's size as the topic's limit counts it, including its frame. */
export function sizeOfMessage({ key, value, headers }: kafkajs.Message): number {
  let size = 32 + Buffer.byteLength(key ?? '') + (value?.length ?? 0);
  for (const [name, text] of Object.entries(headers ?? {}))
    size += 8 + Buffer.byteLength(name) + Buffer.byteLength(`${text}`);
  return size;
}
