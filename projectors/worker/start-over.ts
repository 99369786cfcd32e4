// How a partition comes from the logs of another release's version to its own: its projector starts them over, one after the other, from the
// committed rows. What is started over so far is flushed whenever it is much, always with a snapshot: killed anywhere, the next owner goes
// on with the logs that are left. The stream is of the new version with the last of these flushes.
import type { FileRef } from '../../core/ports/object-store.ts';
import type { ParquetRow, PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';
import { committedBytes } from './committed-bytes.ts';
import type { FlushPace } from './flush-pace.ts';
import type { PartitionFlushes } from './partition-flushes.ts';
import type { OwnTools } from './partition-tools.ts';
import { patientStore, untilCatalogAnswers } from './patience.ts';
import type { Projector } from './projector.ts';

/** What a projector is given to make a log anew with. */
export type CommittedFiles = {
  /** The rows of a committed file, under the columns that it has itself. @throws Halted where its bytes are not to be had */
  rows(file: FileRef): Promise<readonly ParquetRow[]>;
  /** Writes files that the next flush publishes: so that a long log need not be held until then. */
  write(files: readonly PlannedFile[]): Promise<ReadonlyMap<string, WrittenFile>>;
  /** What the catalog answers to `call`, however long that takes. */
  ask<Answer>(call: () => Promise<Answer>): Promise<Answer>;
};

/** Files that were written ahead wait no longer for their flush. */
const longestWait: Micros = microsPerMinute;

/** For a projector that is folded up to the offset `to`. */
export function committedFiles(tools: OwnTools, flushes: PartitionFlushes, to: number): CommittedFiles {
  const objects = patientStore(tools, tools.objects);
  return {
    rows: async (file) => tools.parquet.decodeOwnColumns(await committedBytes(objects, file)).rows,
    write: (planned) => flushes.writeAhead(planned, to),
    ask: (call) => untilCatalogAnswers(tools, call),
  };
}

/** Has the projector start its logs over; `to`: the checkpoint, up to which it is folded. */
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
    flushedAt = pace.flushes();
    await flushes.flush(to, flushedAt, true);
    waits = false;
  }
  flushes.publishes(logVersion);
  if (waits) await flushes.flush(to, pace.flushes(), true);
}
