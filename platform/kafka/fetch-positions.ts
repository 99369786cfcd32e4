// Where each partition's fetching stands, as we know it: kafkajs answers an offset that is out of range by a jump that it only logs, so
// every batch is held against the position that we expect.
import type kafkajs from 'kafkajs';
import type { PartitionQueue } from './partition-queue.ts';

/** A partition whose fetching has begun. */
export type Fetching = { position: number; queue: PartitionQueue };

/** kafkajs' batch, with the one member that its declaration leaves out. */
type FetchedBatch = kafkajs.Batch & { fetchedOffset: string };

/** Puts what is new into the queue and moves the position. Answers false when the fetch was made beyond it: a jump. */
export function takeBatch(fetching: Fetching, batch: kafkajs.Batch): boolean {
  if (Number((batch as FetchedBatch).fetchedOffset) > fetching.position) return false;
  const { messages } = batch;
  const known = messages.findIndex((message) => Number(message.offset) >= fetching.position);
  if (known >= 0) {
    fetching.queue.put(known === 0 ? messages : messages.slice(known), Number(batch.highWatermark));
  }
  // Also past control records and what compaction took.
  fetching.position = Math.max(fetching.position, Number(batch.lastOffset()) + 1);
  return true;
}

/** A batch as kafkajs tells of it before it is handed over, or instead: one of nothing but control records is handed to nobody. */
export type StartedBatch = { batchSize: number; firstOffset: string | null; lastOffset: string };

/** Moves the position past a batch that holds no message. */
export function passEmptyBatch(fetching: Fetching, { batchSize, firstOffset, lastOffset }: StartedBatch): void {
  if (batchSize > 0 || Number(firstOffset ?? lastOffset) > fetching.position) return;
  fetching.position = Math.max(fetching.position, Number(lastOffset) + 1);
}
