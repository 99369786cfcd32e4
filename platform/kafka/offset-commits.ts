// Offsets handed back to a consumer group: hints for people and tools, for where to begin the handlers say. One commit at a time, of the
// newest offset of each partition; one that fails is not missed.
import type kafkajs from 'kafkajs';

/** What takes an acknowledged offset and commits it when it can, until `isOver`. */
export function offsetCommits(
  consumer: Pick<kafkajs.Consumer, 'commitOffsets'>,
  topic: string,
  isOver: () => boolean,
): (partition: number, nextOffset: number) => void {
  const acknowledged = new Map<number, number>();
  let committing = false;

  async function commitAll(): Promise<void> {
    if (committing) return;
    committing = true;
    while (acknowledged.size > 0 && !isOver()) {
      const offsets = [...acknowledged].map(([partition, offset]) => ({ topic, partition, offset: String(offset) }));
      acknowledged.clear();
      await consumer.commitOffsets(offsets).catch(() => {});
    }
    committing = false;
  }

  return (partition, nextOffset) => {
    acknowledged.set(partition, nextOffset);
    void commitAll();
  };
}
