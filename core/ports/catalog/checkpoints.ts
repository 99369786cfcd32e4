// The catalog as every projector knows it: who owns a partition, how far it is committed, and what each commit of a flush has, whatever it
// publishes. A commit is one transaction: it happens whole, or the caller is fenced, or its answer is lost (UnknownCommit) and the caller looks.
import type { DeadLetter } from './dead-letters.ts';
import type { ObjectMoves } from './objects.ts';
import type { ReceiptFold } from './pushes.ts';

export type StreamKey = { projector: string; topic: string; partition: number };

/** What a new owner starts from: the snapshot's state, re-folded up to `nextOffset`. */
export type Claim = {
  ownerEpoch: number;
  nextOffset: number;
  foldDigest: string | null;
  snapshot: { key: string; offset: number } | null;
  /** Of the logs that the stream publishes; null where none was noted: nothing is published, or by a release that noted none. */
  logVersion: string | null;
};

export type Position = { ownerEpoch: number; nextOffset: number; foldDigest: string | null };

export interface CheckpointsCatalog {
  /** Takes the partition: bumps the owner epoch, which fences the owner before. */
  claim(stream: StreamKey, ownerId: string): Promise<Claim>;
  /** Where the stream stands and who owns it: how an unknown commit is resolved. */
  position(stream: StreamKey): Promise<Position | null>;
  /** Notes why this owner can go no further, unless another has claimed the stream meanwhile; the next claim takes the note away. */
  halt(stream: StreamKey, ownerEpoch: number, reason: string): Promise<void>;
}

export interface ProgressCatalog {
  /** How far a projector has committed each partition of a topic; those that it has never had are left out. */
  nextOffsets(projector: string, topic: string): Promise<ReadonlyMap<number, number>>;
}

/** What the worker says of a flush: under which ownership it commits, from where to where, and which objects it put. */
export type Fence = ObjectMoves & {
  stream: StreamKey;
  ownerEpoch: number;
  from: number;
  to: number;
  foldDigest: string;
  snapshot: { key: string; offset: number } | null;
  /** Of all that the stream publishes from this commit on; null: as it was. */
  logVersion: string | null;
};

/** The commit of a flush of any projector, without what it publishes. */
export type FlushCommit = Fence & { deadLetters: readonly DeadLetter[]; receipts: readonly ReceiptFold[] };

export type CommitAnswer = 'committed' | 'fenced';
