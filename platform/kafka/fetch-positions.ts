// Tracks our own position in each partition. kafkajs answers an offset out of range by jumping, and only logs it, so every batch is checked
// against the expected position.
import type kafkajs from 'kafkajs';
import type { PartitionQueue } from './partition-queue.ts';

/** A partition that is being fetched. */
export type Fetching = { position: number; queue: PartitionQueue };

/** kafkajs' batch, including a member that its declaration omits. */
type FetchedBatch = kafkajs.Batch & { fetchedOffset: string };

/** Queues the new messages and moves the position. Returns false if the fetch was made beyond the position: a jump. */
export function takeBatch(fetching: Fetching, batch: kafkajs.Batch): boolean {
  if (Number((batch as FetchedBatch).fetchedOffset) > fetching.position) return false;
  const { messages } = batch;
  const known = messages.findIndex((message) => Number(message.offset) >= fetching.position);
  if (known >= 0) {
    fetching.queue.put(known === 0 ? messages : messages.slice(known), Number(batch.highWatermark));
  }
  // Also past control records and compacted offsets.
  fetching.position = Math.max(fetching.position, Number(batch.lastOffset()) + 1);
  return true;
}

/** A batch as kafkajs announces it before delivery. A batch with only control records is announced but never delivered. */
export type StartedBatch = { batchSize: number; firstOffset: string | null; lastOffset: string };

/** Moves the position past a batch without messages. */
export function passEmptyBatch(fetching: Fetching, { batchSize, firstOffset, lastOffset }: StartedBatch): void {
  if (batchSize > 0 || Number(firstOffset ?? lastOffset) > fetching.position) return;
  fetching.position = Math.max(fetching.position, Number(lastOffset) + 1);
}
