// Runs one projector on the partitions of this process: a group member that opens a partition when it is assigned, hands it its batches and drops
// it when it is revoked. A halted partition ends alone and stays assigned to this process, so that it is not retried over and over; its next owner
// tries it once. Any other failure that a retry cannot mend ends the runner; its starter decides whether the process exits or the runner starts
// over with empty memory (crash-only).
import { type Broker, type Consumer, Halted } from '../../core/ports/broker.ts';
import type { CrashPoint } from '../../core/ports/crash-points.ts';
import type { Millis } from '../../core/units.ts';
import { Partition } from './partition.ts';
import { Fenced, type PartitionTools } from './partition-tools.ts';
import { untilBrokerAnswers } from './patience.ts';
import type { ProjectorKind } from './projector.ts';

export type Runner = {
  /** Resolves when the runner has ended by itself: fenced, or abandoned by its broker. */
  ended: Promise<Error>;
  /** Flushes, writes snapshots and leaves the group; what cannot be flushed in time is left to the next owner. */
  stop(): Promise<void>;
};

/** How long the last flushes may take. The next owner folds again what they do not save. */
const closePatienceMs: Millis = 3_000;

/** Starts `projector` as a member of its group, as soon as the broker answers. */
export async function startRunner(broker: Broker, projector: ProjectorKind, given: PartitionTools): Promise<Runner> {
  const tools = {
    records: broker,
    places: broker,
    ...given,
    crash: (point: CrashPoint) => given.crash(point, projector.name),
  };
  type Held = { partition: Partition | null; givenUp: AbortController };
  const partitions = new Map<number, Held>();
  const ending = Promise.withResolvers<Error>();

  const drop = (number: number): void => {
    partitions.get(number)?.givenUp.abort(new Fenced(`partition ${number} was given up`));
    partitions.delete(number);
  };
  const start = (): Promise<Consumer> =>
    broker.consume(
      { topic: projector.topic, group: `sds-${projector.name}` },
      {
        async assigned(number) {
          drop(number);
          const held: Held = { partition: null, givenUp: new AbortController() };
          partitions.set(number, held);
          const partition = await Partition.open(projector, tools, number, held.givenUp.signal);
          held.partition = partition;
          void partition.failed.then((reason) => {
            if (reason instanceof Halted || partitions.get(number) !== held) return;
            if (reason instanceof Fenced) tools.meter?.add('sds_fences_total', { projector: projector.name });
            tools.log.error('partition ended', { partition: number, reason: reason.name, error: reason.message });
            ending.resolve(reason);
          });
          return partition.readFrom;
        },
        revoked: drop,
        async batch(batch) {
          const held = partitions.get(batch.partition);
          const partition = held?.partition;
          if (partition == null) return;
          try {
            await partition.handle(batch);
          } catch (error) {
            // Given up meanwhile: whatever it met is the new owner's doing.
            if (partitions.get(batch.partition) !== held) return;
            throw error;
          }
          tools.crash('projector:before-ack');
          await consumer.acknowledge(batch.partition, partition.committed).catch(() => {});
        },
        outOfRange(error) {
          const remedy = `bring back the records from offset ${error.wanted} on, then restart the projectors`;
          void partitions.get(error.partition)?.partition?.halt(new Halted(error.message, remedy, { cause: error }));
        },
        failed(error) {
          tools.log.error('consumer stopped', { error: error.message });
          ending.resolve(error);
        },
      },
    );
  const consumer = await untilBrokerAnswers(tools, start);
  return {
    ended: ending.promise,
    async stop() {
      const inTime = new AbortController();
      const closing = [...partitions.values()].map(({ partition }) => partition?.close());
      void Promise.allSettled(closing).then(() => inTime.abort());
      await tools.clock.sleep(closePatienceMs, inTime.signal);
      if (!inTime.signal.aborted) tools.log.warn('partitions are left unflushed: their next owner folds again');
      const stopped = consumer.stop();
      for (const number of [...partitions.keys()]) drop(number);
      await stopped;
    },
  };
}
