// The interface between a projector and the worker that runs it: one object per partition, which keeps its state, changes and plans to itself. It
// folds in steps, knows no clock, calls its own catalog only, and writes no files: it plans those that a flush needs. It must be deterministic:
// the same records give the same state, files and commits, however they are batched (I21).
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { CommitAnswer, Fence } from '../../core/ports/catalog/checkpoints.ts';
import type { Attachment, FileRef } from '../../core/ports/object-store.ts';
import type { PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { KeptLog } from './kept-log.ts';
import type { CommittedFiles } from './start-over.ts';

/** A projector by name, and how one of its partitions is opened. */
export interface ProjectorKind {
  readonly name: string;
  readonly topic: string;
  /** Version of the columns and rules of the logs that it publishes. Absent: it publishes no logs. */
  readonly logVersion?: string;
  /** The projector of a partition, with the state of a snapshot, or empty for null. Never starts from offset 0 by itself. */
  open(partition: number, saved: unknown): Projector;
}

export interface Projector {
  /**
   * Reads what is published of the partition after the state has caught up with the checkpoint; `found` compares that state with the committed
   * one. Nothing changes until the result is taken over.
   */
  readPublished(found: Found): Promise<TakeOver>;
  /** Whether it can take over what is published although its own state differs. If not, the partition is halted. */
  readonly mends?: true;
  /**
   * Starts over the published logs that are not those of the state, after they are taken over: of another version, or begun anew since. Each step
   * leaves something to flush with a snapshot, and no more than a flush should hold.
   */
  startOver?(files: CommittedFiles): AsyncIterable<void>;
  /** The object that a record refers to. Its bytes are loaded and compared with this description before the record is folded. */
  attachment?(record: DeliveredRecord): Attachment | null;
  /** Folds committed records into the state only. Call nothing else before the last step. */
  refolding(records: readonly DeliveredRecord[]): Task<void>;
  /** Folds records and notes what the next flush must publish. Call nothing else before the last step. */
  folding(records: readonly DeliveredRecord[]): Task<void>;
  /** Whether the record orders the projector to rebuild something from the log. */
  ordersRebuild?(record: DeliveredRecord): boolean;
  /**
   * Carries out the order of the record folded last. `files` null: the result is already committed, and only the state must catch up. Returns why
   * it was not carried out. A flush with a snapshot follows in either case.
   * @throws OffsetOutOfRange when records were deleted meanwhile; nothing has changed then
   */
  rebuild?(order: DeliveredRecord, log: KeptLog, files: CommittedFiles | null): Promise<string | null>;
  /** Bytes that wait for a flush beside the records' rows: dead letters may be many times larger than their records. */
  readonly weight: number;
  /** What the next flush must write and publish: everything that is waiting. Call nothing else before the last step. */
  planning(): Task<Flush>;
  /** The state as JSON-safe data, for a snapshot. Call nothing else before the last step. */
  saving(): Task<unknown>;
  /** Digest of the state, independent of batches: proves that a new owner folded to the same state. */
  digest(): string;
}

/**
 * How a new owner's state compares with the committed one. They may differ if another version made the committed one, or if folding began from an
 * older state, whose rows other releases may have made.
 */
export type Found = 'same' | 'differs' | 'other-version' | 'older-state';

/** Takes over what was read. */
export type TakeOver = () => void;

export interface Flush {
  readonly files: readonly PlannedFile[];
  /**
   * Commits after the files were written where `written` says. Repeated after an outage, it commits the same.
   * @throws UnknownCommit, CatalogRefused, CatalogUnavailable
   */
  commit(fence: Fence, written: ReadonlyMap<string, WrittenFile>): Promise<CommitAnswer>;
  /** Notes the commit: the next flush builds on what it published. Returns the tails that no later file will go on from. */
  committed(): readonly FileRef[];
}
