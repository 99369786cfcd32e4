// Writes the raw archive (docs/durability.md#the-raw-archive): each UTC day of the topics from which the service builds what it publishes, once the
// day is over. What it could not archive in one round it archives in a later one, as long as the log holds it.
import type { Broker } from '../../core/ports/broker.ts';
import type { LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Meter, noMeter } from '../../core/ports/meter.ts';
import type { RawArchive } from '../../core/ports/raw-archive.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, type Millis, microsPerHour, microsPerMinute } from '../../core/units.ts';
import { archivedTopics } from '../../schemas/events/topics.ts';
import { archiveRange } from './archive-range.ts';

export type RawArchiverTools = {
  broker: Pick<Broker, 'watermarks' | 'read' | 'offsetAt' | 'writerSchema'>;
  archive: Pick<RawArchive, 'files' | 'write'>;
  leases: Pick<LeasesCatalog, 'hold' | 'release'>;
  live: Pick<LiveCatalog, 'now'>;
  clock: Clock;
  log: Log;
  /** Left out: nothing is measured. */
  meter?: Meter;
};

const everyMs: Millis = 10 * 60_000;
const day: Micros = 24 * microsPerHour;
/** The log's clock may be behind the catalog's: a day is over when no record of it can come any more. */
const dayEndsLate: Micros = 10 * microsPerMinute;

/** Looks every ten minutes until stopped. */
export function startRawArchiver(tools: RawArchiverTools): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    let archived: Micros | null = null;
    while (!stopped.signal.aborted) {
      await tools.clock.sleep(everyMs, stopped.signal);
      if (stopped.signal.aborted) break;
      try {
        archived = await archiveDays(tools, archived, stopped.signal);
      } catch (error) {
        tools.log.warn('raw archive put off', { error: error instanceof Error ? error.message : String(error) });
      }
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

/**
 * Archives the days that are over, unless another process does. `archived`: up to when it is known that all is; answers the same, for the next
 * round.
 */
export async function archiveDays(
  tools: RawArchiverTools,
  archived: Micros | null,
  signal: AbortSignal,
): Promise<Micros | null> {
  const { broker, leases, log, meter = noMeter } = tools;
  const mayContinue = async (): Promise<boolean> => !signal.aborted && (await leases.hold('raw-archive'));
  const over = (await tools.live.now()) - dayEndsLate;
  const midnight = over - (over % day);
  if (archived === midnight || !(await mayContinue())) return archived;
  let whole = true;
  try {
    for (const topic of archivedTopics) {
      for (const held of await broker.watermarks(topic)) {
        const { partition } = held;
        const to = await broker.offsetAt(topic, partition, midnight);
        try {
          const done = await archiveRange({ ...tools, mayContinue }, topic, held, to);
          if (done.lost > 0) {
            meter.add('sds_archive_failures_total', { topic });
            log.error('records were deleted before they were archived', { topic, partition, offsets: done.lost });
          }
          if (done.files > 0) log.info('records archived', { topic, partition, ...done });
          meter.add('sds_archived_records_total', { topic }, done.records);
          whole &&= done.whole;
        } catch (error) {
          // The other partitions are none the worse for it.
          whole = false;
          meter.add('sds_archive_failures_total', { topic });
          const reason = error instanceof Error ? error.message : String(error);
          log.error('a partition was not archived', { topic, partition, error: reason });
        }
        if (!(await mayContinue())) return archived;
      }
    }
  } finally {
    await leases.release('raw-archive');
  }
  return whole ? midnight : archived;
}
