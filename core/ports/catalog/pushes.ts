// Pushes, for the gateway: receipts, idempotency keys and sources; and the folds' results for receipts.
import type { Micros } from '../../units.ts';
import type { DeadLetter } from './dead-letters.ts';

export type Rejection = { index: number; pointer: string; code: string; detail: string };

export type ReceiptEntry = {
  receipt: string;
  source: string;
  receivedAt: Micros;
  accepted: number;
  /** Positions in the push of the elements that are in the log, or their `place`. */
  acceptedIndexes: readonly number[];
  duplicates: number;
  rejected: readonly Rejection[];
  /** How many refusals `rejected` leaves out. */
  rejectedMore: number;
};

export type ReceiptState = Omit<ReceiptEntry, 'acceptedIndexes'> & {
  /**
   * How many of the accepted records the folds have applied, found to be duplicates, or refused. Each record counts once, however often it
   * is delivered.
   */
  applied: number;
  foldedDuplicates: number;
  refused: number;
  /** How many parts of applied records the folds have refused. */
  refusedParts: number;
  records: readonly ReceiptRecord[];
};

/**
 * The outcome of the records of one receipt in a flush, by their index in the push; an index may occur more than once. `source` is the
 * records' own: the fold only counts towards a receipt of that source.
 */
export type ReceiptFold = {
  receipt: string;
  source: string;
  applied: readonly number[];
  duplicates: readonly number[];
  refused: readonly number[];
  records: readonly ReceiptRecord[];
};

/** A record of a push that was not simply applied, or that cut revisions (docs/operations.md#receipts). */
export type ReceiptRecord = {
  index: number;
  /** Its number in the receipt's sets, if that differs from its index. */
  place?: number;
  state: 'applied' | 'duplicate' | 'refused';
  game_id: string | null;
  seq: number | null;
  rows: number | null;
  /** Revisions that the record cut. */
  revisions?: readonly { dataset: string; epoch: string; revision: number }[];
  refusals: readonly { pointer: string; code: string }[];
};

export type IdempotencyKeyUse =
  | { kind: 'new' }
  /** Used before with the same body; `logged`: its records are in the log and its receipt is valid. */
  | { kind: 'repeated'; receipt: string; logged: boolean }
  | { kind: 'conflict' };

/** A source that has pushed, or has a rank. */
export type PushingSource = { source: string; firstSeen: Micros; lastSeen: Micros; pushes: number; rank: number };

export interface PushCatalog {
  /** Claims an Idempotency-Key for a body, or returns its earlier use. Keys are kept for 24 h by the database's clock. */
  useKey(source: string, key: string, bodySha256: string, receipt: string): Promise<IdempotencyKeyUse>;
  /** Releases the claim of `receipt` on a key, unless its records are in the log: a push that was refused whole has not used its key. */
  releaseKey(source: string, key: string, receipt: string): Promise<void>;
  /** Stores the receipt (and marks its key as logged) together with the dead letters of refused parts, in one transaction. */
  acknowledge(entry: ReceiptEntry, key: string | null, deadLetters: readonly DeadLetter[]): Promise<void>;
  receipt(receipt: string): Promise<ReceiptState | null>;
  /** Counts of pushes are written after the acknowledgements, so a catalog outage never fails a push over them. */
  sources(): Promise<readonly PushingSource[]>;
  /** The rank of a source; 0 if it has none. */
  rankOf(source: string): Promise<number>;
  /** Registers a source with this rank, unless it is already known. */
  foundSource(source: string, rank: number): Promise<void>;
  /** Sets the rank of a source, even of one that has not pushed; resolves to the previous rank. */
  rankSource(source: string, rank: number): Promise<number>;
  /** Deletes receipts and idempotency keys older than 24 h. */
  expire(): Promise<void>;
  /** Writes out the pending counts, if the catalog is available. */
  flush(): Promise<void>;
}
