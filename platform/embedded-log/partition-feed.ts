// Feeds one partition to one member: asks where to start, delivers batch after batch, and reads ahead while the handler works. It waits
// while the database is unreachable; any other error ends the feed.
import type { ConsumerHandlers, DeliveredBatch } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import type { Sql } from '../postgres/sql.ts';
import { sleep } from '../process/clock.ts';
import { offsetAfter, type ReadTopic, readBatch, readOn } from './log-reader.ts';
import { type Notices, partitionBell } from './notices.ts';

export type FeedTools = { sql: Sql; notices: Notices; log: Log; handlers: ConsumerHandlers };

const pollMs: Millis = 1_000;
const firstRetryMs: Millis = 100;
const maxRetryMs: Millis = 2_000;

/** Runs until the signal aborts; rejects if the partition cannot continue. No handler runs after that. */
export async function feedPartition(
  tools: FeedTools,
  topic: ReadTopic,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const bell = tools.notices.bell(partitionBell(topic.id, partition));
  try {
    let offset = await tools.handlers.assigned(partition);
    let ahead: Promise<DeliveredBatch | Error> | null = null;
    // The database knows whether the log holds the first offset, and what other processes have appended.
    const read = (): Promise<DeliveredBatch | Error> => {
      const by = bell.heardOthers() ? readBatch : readOn;
      return readPatiently(tools, () => by(tools.sql, topic, partition, offset, signal), partition, signal);
    };
    while (!signal.aborted) {
      const batch = await unlessAborted(signal, ahead ?? read());
      ahead = null;
      if (signal.aborted || batch === undefined) return;
      if (batch instanceof Error) throw batch;
      offset = offsetAfter(batch, offset);
      const isLast = batch.records.length === 0 || offset >= batch.highWatermark;
      if (!isLast) ahead = read();
      if (batch.records.length > 0) await tools.handlers.batch(batch);
      // Whatever was appended since that read began has rung the bell, so no read is spent on finding nothing.
      if (isLast) await bell.wait(pollMs, signal);
    }
  } finally {
    bell.remove();
  }
}

/**
 * The result of the read, or undefined as soon as the signal aborts, so that a hanging read does not delay the end. Removes its listener,
 * because the signal outlives every read.
 */
async function unlessAborted<T>(signal: AbortSignal, reading: Promise<T>): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([reading, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The next batch. Returns an error as a value: a batch that is read ahead has no one awaiting it yet. */
async function readPatiently(
  { log }: Pick<FeedTools, 'log'>,
  read: () => Promise<DeliveredBatch>,
  partition: number,
  signal: AbortSignal,
): Promise<DeliveredBatch | Error> {
  for (let wait = firstRetryMs; ; wait = Math.min(maxRetryMs, wait * 2)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CatalogUnavailable) || signal.aborted) {
        return error instanceof Error ? error : new Error(String(error));
      }
      if (wait === firstRetryMs) log.warn('log cannot be read now; waiting', { partition, error: error.message });
      await sleep(wait, signal);
    }
  }
}
