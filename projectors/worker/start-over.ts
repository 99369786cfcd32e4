// Converts a partition's logs that another release has made, or that an older state does not know, to those of the state: the projector starts
// them over one by one, from the committed rows. Whenever enough is done it is flushed, always with a snapshot: after a kill the next owner
// continues with the remaining logs. The last of these flushes gives the stream the new version.
import type { FileRef } from '../../core/ports/object-store.ts';
import type { ParquetRow, PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';
import { committedBytes } from './committed-bytes.ts';
import type { FlushPace } from './flush-pace.ts';
import type { PartitionFlushes } from './partition-flushes.ts';
import type { OwnTools } from './partition-tools.ts';
import { patientStore, untilCatalogAnswers } from './patience.ts';
import type { Projector } from './projector.ts';

/** What a projector needs to rebuild a log. */
export type CommittedFiles = {
  /** The rows of a committed file, under the columns that it has itself. @throws Halted where its bytes are not to be had */
  rows(file: FileRef): Promise<readonly ParquetRow[]>;
  /** Writes files that the next flush publishes: so that a long log need not be held until then. */
  write(files: readonly PlannedFile[]): Promise<ReadonlyMap<string, WrittenFile>>;
  /** Whether written files wait so long for the next flush that they must be put again, or the collector could delete them. */
  mustRenew(): boolean;
  /**
   * Puts those of `files` again that must be, and answers where all of them are now. They are all that were written, each is an object of its own,
   * and none is being written meanwhile. @throws Fenced
   */
  renew(files: readonly FileRef[]): Promise<readonly FileRef[]>;
  /** What the catalog answers to `call`, however long that takes. */
  ask<Answer>(call: () => Promise<Answer>): Promise<Answer>;
};

/** The longest that files written ahead wait for their flush. */
const longestWait: Micros = microsPerMinute;

/** For a projector that is folded up to the offset `to`. */
export function committedFiles(tools: OwnTools, flushes: PartitionFlushes, to: number): CommittedFiles {
  const objects = patientStore(tools, tools.objects);
  return {
    rows: async (file) => tools.parquet.decodeOwnColumns(await committedBytes(objects, file)).rows,
    write: (planned) => flushes.writeAhead(planned, to),
    mustRenew: () => flushes.mustRenew(),
    renew: (written) => flushes.renew(written),
    ask: (call) => untilCatalogAnswers(tools, call),
  };
}

/** Lets the projector start its logs over. `to`: the checkpoint, up to which it has folded. */
export async function startOver(
  tools: OwnTools,
  projector: Projector,
  flushes: PartitionFlushes,
  pace: FlushPace,
  to: number,
  logVersion: string,
): Promise<void> {
  const files = committedFiles(tools, flushes, to);
  let flushedAt = tools.clock.now();
  let waits = false;
  for await (const _ of projector.startOver?.(files) ?? []) {
    waits = true;
    if (!pace.isLarge(projector.weight) && tools.clock.now() - flushedAt < longestWait) continue;
    flushedAt = tools.clock.now();
    await pace.flushing((began) => flushes.flush(to, began, true));
    waits = false;
  }
  flushes.publishes(logVersion);
  if (waits) await pace.flushing((began) => flushes.flush(to, began, true));
}
