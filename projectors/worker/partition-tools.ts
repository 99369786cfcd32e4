// What a partition's worker is given, and how it ends: the ports it uses, its sizes, the fence of its commits.
import type { Claim, CommitAnswer, StreamKey } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, type Millis, microsPerMinute } from '../../core/units.ts';
import type { FoldTurns } from './fold-turns.ts';
import type { WrittenObjects } from './write-files.ts';

/**
 * This worker may not commit any more — another owner has the partition, or its flush has taken so long that its objects may have been
 * collected as orphans: drop everything and start over.
 */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** How long a flush may take from its first put to its commit. Orphans are collected only when they are twice as old. */
export const longestFlush: Micros = 30 * microsPerMinute;

/** What a commit of any projector has beside its facts. */
export type Fence = {
  stream: StreamKey;
  ownerEpoch: number;
  from: number;
  to: number;
  foldDigest: string;
  snapshot: { key: string; offset: number } | null;
  objects: WrittenObjects['objects'];
  /** Objects of the worker's own — superseded snapshots — that nothing needs any more. */
  released: readonly { key: string; files: number }[];
};

export type PartitionCatalog<Facts, Published> = {
  claim(stream: StreamKey, ownerId: string): Promise<Claim>;
  halt(stream: StreamKey, ownerEpoch: number, reason: string): Promise<void>;
  position(stream: StreamKey): Promise<{ ownerEpoch: number; nextOffset: number } | null>;
  published(partition: number): Promise<Published>;
  commit(fence: Fence, facts: Facts): Promise<CommitAnswer>;
};

export type PartitionTools<Facts, Published> = {
  catalog: PartitionCatalog<Facts, Published>;
  objects: ObjectStore;
  parquet: ParquetWriter;
  clock: Clock;
  crash: CrashPoints;
  log: Log;
  ownerId: string;
  /** Shared by all partitions of the process; absent: one that has no other. */
  turns?: FoldTurns;
  /** Least time between two flushes of a partition. */
  flushEveryMs: Millis;
  /** Records, time, and bytes of records and their objects, after which a flush also writes a snapshot of the state. */
  snapshotEvery: { records: number; ms: Millis; bytes?: number };
};
