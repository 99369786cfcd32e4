// Commits offsets to a consumer group, only for people and tools: the handlers decide where to start. One commit at a time, of each
// partition's newest offset; a failed one does not matter.
import type kafkajs from 'kafkajs';

/** Returns a function that takes an acknowledged offset and commits it when possible, until `isOver`. */
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
