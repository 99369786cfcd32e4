// Checkpoints, for every projector: who owns a partition, how far it is committed, and the parts common to all flush commits. A commit is
// one transaction: it happens whole, or the caller is fenced, or its answer is lost (UnknownCommit) and the caller checks.
import type { DeadLetter } from './dead-letters.ts';
import type { ObjectMoves } from './objects.ts';
import type { ReceiptFold } from './pushes.ts';

export type StreamKey = { projector: string; topic: string; partition: number };

/** A saved state: the object with its bytes, and the offset up to which records are folded into it. */
export type SavedState = { key: string; offset: number };

/** The newest saved state of a stream, and those that are kept behind it, newest first. */
export type Snapshot = SavedState & { older: readonly SavedState[] };

/**
 * The starting point of a new owner: the state of the newest snapshot that is intact, then the records up to `nextOffset` folded again.
 */
export type Claim = {
  ownerEpoch: number;
  nextOffset: number;
  foldDigest: string | null;
  snapshot: Snapshot | null;
  /** The version of the logs that the stream publishes; null if it publishes none, or an older release did not record it. */
  logVersion: string | null;
};

export type StoredCheckpoint = { ownerEpoch: number; nextOffset: number; foldDigest: string | null };

export interface CheckpointsCatalog {
  /** Takes the partition: raises the owner epoch, which fences the previous owner. */
  claim(stream: StreamKey, ownerId: string): Promise<Claim>;
  /** The stream's position and owner; resolves an unknown commit. */
  position(stream: StreamKey): Promise<StoredCheckpoint | null>;
  /** Records why this owner cannot continue, unless another has claimed the stream meanwhile. The next claim clears it. */
  halt(stream: StreamKey, ownerEpoch: number, reason: string): Promise<void>;
}

export interface ProgressCatalog {
  /** How far a projector has committed each partition of a topic; partitions it has never claimed are left out. */
  nextOffsets(projector: string, topic: string): Promise<ReadonlyMap<number, number>>;
}

/** A `traceparent` for each key of records. */
export type Traces = ReadonlyMap<string, string>;

/** The worker's part of a flush: the owner epoch, the range of offsets, and the objects it put. */
export type Fence = ObjectMoves & {
  stream: StreamKey;
  ownerEpoch: number;
  from: number;
  to: number;
  foldDigest: string;
  /** The snapshots of the stream from this commit on; null: unchanged. */
  snapshot: Snapshot | null;
  /** The version of all logs that the stream publishes from this commit on; null: unchanged. */
  logVersion: string | null;
  /** The trace that what becomes visible of a game or scope continues, by its UUID; left out or empty: nothing is traced. */
  traces?: Traces;
};

/** The commit of any projector's flush, without what it publishes. */
export type FlushCommit = Fence & { deadLetters: readonly DeadLetter[]; receipts: readonly ReceiptFold[] };

export type CommitAnswer = 'committed' | 'fenced';
