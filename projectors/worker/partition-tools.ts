// What the worker of a partition needs: its ports, its sizes, and the errors that end it.
import type { CheckpointsCatalog } from '../../core/ports/catalog/checkpoints.ts';
import type { RebuildsCatalog } from '../../core/ports/catalog/rebuilds.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { Meter } from '../../core/ports/meter.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Tracer } from '../../core/ports/tracer.ts';
import { type Micros, type Millis, microsPerMinute } from '../../core/units.ts';
import type { LogReader } from './kept-log.ts';
import type { Patience } from './patience.ts';
import type { RunTask } from './time-slices.ts';
import type { KeyPlaces } from './with-places.ts';

/**
 * This worker may not commit any more — another owner has the partition, or its flush has taken so long that its objects may have been
 * collected as orphans: drop everything and start over.
 */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** How long a flush may take from its first put to its commit. Orphans are collected only when they are twice as old. */
export const longestFlush: Micros = 30 * microsPerMinute;

export type PartitionTools = {
  checkpoints: CheckpointsCatalog;
  objects: ObjectStore;
  parquet: ParquetWriter;
  clock: Clock;
  crash: CrashPoints;
  log: Log;
  /** Left out: nothing is measured. */
  meter?: Meter;
  /** Left out: nothing is traced. */
  tracer?: Tracer;
  ownerId: string;
  /** Shared by all partitions of the process; absent: one that has no other. */
  runTask?: RunTask;
  /** The log outside the consumer group. Absent: orders to rebuild something from it are not carried out. */
  records?: LogReader;
  /** Who hears how far an order to rebuild a log is carried out. Absent: no process. */
  rebuilds?: Pick<RebuildsCatalog, 'tellProgress'>;
  /** In which partition a key belongs. Absent: all that is in a partition belongs there. */
  places?: KeyPlaces;
  /** From the beginning of a flush, the longest time until a partition may flush again; less where flushes are fast. */
  flushEveryMs: Millis;
  /** Records, time, and bytes of records and their objects, after which a flush also writes a snapshot of the state. */
  snapshotEvery: { records: number; ms: Millis; bytes?: number };
};

/** The tools of one worker. `givenUp` ends its work and its waits. */
export type OwnTools = PartitionTools & Required<Patience>;
