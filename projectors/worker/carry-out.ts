// Lets a projector carry out an order to rebuild something from the log: gives it the records up to the order and a way to write files, which
// the next flush publishes. An order that cannot be carried out changes nothing, and the partition continues.
import { type DeliveredRecord, OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import { RawFileDamaged } from '../../core/ports/raw-archive.ts';
import { type KeptLog, keptRecords, wholeSince } from './kept-log.ts';
import type { PartitionFlushes } from './partition-flushes.ts';
import type { OwnTools } from './partition-tools.ts';
import { untilBrokerAnswers, untilCatalogAnswers } from './patience.ts';
import type { Projector } from './projector.ts';
import { committedFiles } from './start-over.ts';
import { tellRebuild } from './tell-rebuild.ts';
import type { RunTask } from './time-slices.ts';

/** Carries out `order`, which was folded last. `flushes` null: its outcome is committed already. Answers whether it was carried out. */
export async function carryOut(
  tools: OwnTools,
  runTask: RunTask,
  projector: Projector,
  { topic, partition }: StreamKey,
  order: DeliveredRecord,
  flushes: PartitionFlushes | null,
): Promise<boolean> {
  const { records } = tools;
  if (records === undefined || projector.rebuild === undefined) return false;
  const to = order.offset + 1;
  const log: KeptLog = {
    async since(time) {
      const from = await untilBrokerAnswers(tools, () => wholeSince(records, topic, partition, time));
      if (from === null) return null;
      const batches = halfWay(tools, keptRecords(tools, records, topic, partition, from, to));
      return tellRebuild(tools, order.key ?? '', { from, to }, batches);
    },
    runTask,
    ask: (call) => untilCatalogAnswers(tools, call),
  };
  const files = flushes === null ? null : committedFiles(tools, flushes, to);
  const reason = await projector.rebuild(order, log, files).catch((error: unknown) => {
    if (!(error instanceof OffsetOutOfRange) && !(error instanceof RawFileDamaged)) throw error;
    return error.message;
  });
  if (reason === null) return true;
  flushes?.forgetAhead();
  tools.log.warn('an order to rebuild a log is not carried out', { partition, offset: order.offset, reason });
  return false;
}

async function* halfWay<Batch>({ crash }: OwnTools, batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    yield batch;
    crash('rebuild:half-way');
  }
}
