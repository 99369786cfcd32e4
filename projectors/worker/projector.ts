// What a projector is to the worker that runs it: an object for each partition, which keeps state, changes and plans to itself. It folds
// in steps and knows no clock; it speaks to its catalog alone, and writes no files: it says which ones a flush needs. Determinism is what
// counts: the same records give the same state, files and commits, however they are batched (I21).
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { CommitAnswer, Fence } from '../../core/ports/catalog/checkpoints.ts';
import type { Attachment } from '../../core/ports/object-store.ts';
import type { PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import type { Steps } from '../../core/steps.ts';
import type { KeptLog } from './kept-log.ts';
import type { CommittedFiles } from './start-over.ts';

/** A projector by name, and how one of its partitions is opened. */
export interface ProjectorKind {
  readonly name: string;
  readonly topic: string;
  /** Of the columns and rules of the logs it publishes; absent: it publishes none. */
  readonly logVersion?: string;
  /** The projector of a partition, with the state of a snapshot or, for null, with none. Never from offset 0 by itself. */
  open(partition: number, saved: unknown): Projector;
}

export interface Projector {
  /**
   * Reads what is published of the partition, once the state has caught up with the checkpoint, where it is `found` beside the committed one.
   * Nothing changes until it is taken over.
   */
  readPublished(found: Found): Promise<TakeOver>;
  /** Whether it can take over what is published though its own state differs; a partition whose projector cannot is halted. */
  readonly mends?: true;
  /**
   * Starts the published logs over that are of another version than its state, once they are taken over: in steps, each of which leaves
   * something to be flushed with a snapshot, and none more than a flush should hold.
   */
  startOver?(files: CommittedFiles): AsyncIterable<void>;
  /** The object that a record refers to: its bytes are loaded, and held against what this says, before the record is folded. */
  attachment?(record: DeliveredRecord): Attachment | null;
  /** Folds records that are committed already: into the state alone. Nothing else is asked of it before the last step. */
  refolding(records: readonly DeliveredRecord[]): Steps<void>;
  /** Folds records, and notes what the next flush has to publish of them. Nothing else is asked of it before the last step. */
  folding(records: readonly DeliveredRecord[]): Steps<void>;
  /** Whether the record, once it is folded, has the projector make something anew from the log. */
  ordersRebuild?(record: DeliveredRecord): boolean;
  /**
   * Carries out the order of a record that it has folded just now. `files` null: what comes of it is committed already, and only the state
   * is to be the same. Answers why it was not carried out, which is the same each time; otherwise a flush with a snapshot follows.
   * @throws OffsetOutOfRange when records were deleted meanwhile: nothing has changed
   */
  rebuild?(order: DeliveredRecord, log: KeptLog, files: CommittedFiles | null): Promise<string | null>;
  /** Bytes of what waits for a flush beside the records' rows: dead letters may be many times what they are of. */
  readonly weight: number;
  /** What has to be written and published now. Everything that waited is in it. */
  flush(): Flush;
  save(): unknown;
  /** Of the state alone, whatever the batches were: shows that a new owner re-folded to the same state. */
  digest(): string;
}

/**
 * What the state of a new owner is beside the committed one; of a release of another version it need not be the same, nor where it was folded on
 * from an older state, whose rows other releases may have made.
 */
export type Found = 'same' | 'differs' | 'other-version' | 'older-state';

/** Takes over what was read as published. */
export type TakeOver = () => void;

export interface Flush {
  readonly files: readonly PlannedFile[];
  /**
   * Commits, now that the files are where `written` says. Asked again after an outage it commits the same.
   * @throws UnknownCommit, CatalogRefused, CatalogUnavailable
   */
  commit(fence: Fence, written: ReadonlyMap<string, WrittenFile>): Promise<CommitAnswer>;
  /** It is committed: what it published is what the next flush goes on from. */
  committed(): void;
}
