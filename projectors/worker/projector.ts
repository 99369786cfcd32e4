// What a projector is: a value of synchronous functions over a partition's state. It does no I/O and knows no clock; the partition's
// worker performs what it plans. `State` is owned by one worker and may be changed in place; determinism is what counts:
// the same records give the same state, plans and facts, however they are batched (I21).
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { PlannedFile, WrittenFile } from '../../core/ports/parquet.ts';
import type { AtOnce } from './attachments.ts';

export interface Projector<State, Changes, Plan extends { files: readonly PlannedFile[] }, Facts, Published> {
  readonly name: string;
  readonly topic: string;
  /** The state to go on from: a snapshot's, or an empty one. Never from offset 0 by itself. */
  start(partition: number, saved: unknown): State;
  /**
   * Takes over what is published of the partition, once the state has caught up with the checkpoint. `differs`: it is not the state that
   * was committed there.
   */
  adopt(state: State, published: Published, differs: boolean): void;
  /** Whether `adopt` can go on from a state that differs; a partition whose projector cannot is halted. */
  readonly mends?: true;
  noChanges(): Changes;
  /** Bytes of what is noted that a commit has to carry beside the records' rows: dead letters may be many times what they are of. */
  weight?(changes: Changes): number;
  /** The object that a record refers to: its bytes are loaded, and held against what this says, before the record is folded. */
  attachment?(record: DeliveredRecord): FileRef | null;
  /** How much is folded at once, where records, or their bytes, cost more than usual. */
  readonly atOnce?: AtOnce;
  /** Folds records into the state and notes in `changes` what a flush has to publish of it. */
  fold(state: State, changes: Changes, records: readonly DeliveredRecord[]): void;
  /** What has to be written and published now, as data. */
  plan(state: State, changes: Changes): Plan;
  /** The facts of the commit, once the planned files are where `written` says. */
  facts(state: State, plan: Plan, written: ReadonlyMap<string, WrittenFile>): Facts;
  /** The facts are committed: they are what is published from now on. */
  committed(state: State, facts: Facts): void;
  save(state: State): unknown;
  /** Of the state alone, whatever the batches were: shows that a new owner re-folded to the same state. */
  digest(state: State): string;
}
