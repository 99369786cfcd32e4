// Runs one projector over the partitions this process holds: a group member that opens a partition when it is assigned, hands it
// its batches and drops it when it is revoked. The first trouble that a retry cannot mend ends the runner; who started it decides whether
// the process exits or the runner starts over with nothing in memory (crash-only).
import type { Broker, Consumer } from '../core/ports/broker.ts';
import type { PlannedFile } from '../core/ports/parquet.ts';
import { Partition } from './partition.ts';
import type { PartitionTools } from './partition-tools.ts';
import type { Projector } from './projector.ts';

export type Runner = {
  /** Resolves when the runner has ended by itself: fenced, halted, or abandoned by its broker. */
  ended: Promise<Error>;
  /** Flushes, writes snapshots and leaves the group. */
  stop(): Promise<void>;
};

/** Starts `projector` as a member of its group. */
export async function startRunner<State, Changes, Plan extends { files: readonly PlannedFile[] }, Facts, Published>(
  broker: Broker,
  projector: Projector<State, Changes, Plan, Facts, Published>,
  tools: PartitionTools<Facts, Published>,
): Promise<Runner> {
  const partitions = new Map<number, Partition<State, Changes, Plan, Facts, Published>>();
  const ending = Promise.withResolvers<Error>();

  const drop = (partition: number): void => {
    partitions.get(partition)?.abandon();
    partitions.delete(partition);
  };
  const consumer: Consumer = await broker.consume(
    { topic: projector.topic, group: `sds-${projector.name}` },
    {
      async assigned(number) {
        drop(number);
        const partition = await Partition.open(projector, tools, number);
        partitions.set(number, partition);
        void partition.failed.then((reason) => {
          if (partitions.get(number) !== partition) return;
          tools.log.error('partition ended', { partition: number, reason: reason.name, error: reason.message });
          ending.resolve(reason);
        });
        return partition.readFrom;
      },
      revoked: drop,
      async batch(batch) {
        const partition = partitions.get(batch.partition);
        if (partition === undefined) return;
        try {
          await partition.handle(batch);
        } catch (error) {
          // Given up meanwhile: whatever it met is the new owner's doing.
          if (partitions.get(batch.partition) !== partition) return;
          throw error;
        }
        tools.crash('projector:before-ack');
        await consumer.acknowledge(batch.partition, partition.committed).catch(() => {});
      },
      failed(error) {
        tools.log.error('consumer stopped', { error: error.message });
        ending.resolve(error);
      },
    },
  );
  return {
    ended: ending.promise,
    async stop() {
      await Promise.allSettled([...partitions.values()].map((partition) => partition.close()));
      await consumer.stop();
      partitions.clear();
    },
  };
}
