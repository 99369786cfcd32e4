// The catalog as the push gateway knows it: receipts, idempotency keys, sources; and what the folds tell the receipts.
import type { Micros } from '../../units.ts';
import type { DeadLetter } from './dead-letters.ts';

export type Rejection = { index: number; pointer: string; code: string; detail: string };

export type ReceiptEntry = {
  receipt: string;
  source: string;
  receivedAt: Micros;
  accepted: number;
  /** Positions in the push of the elements that are in the log, or what stands for one (`place`). */
  acceptedIndexes: readonly number[];
  duplicates: number;
  rejected: readonly Rejection[];
  /** Refusals beyond those that `rejected` lists. */
  rejectedMore: number;
};

export type ReceiptState = Omit<ReceiptEntry, 'acceptedIndexes'> & {
  /** How many of the accepted records the folds have applied, found to be duplicates, refused: each counts once, however often delivered. */
  applied: number;
  foldedDuplicates: number;
  refused: number;
  records: readonly ReceiptRecord[];
};

/**
 * What a flush made of the records that name a receipt, by their index in the push; an index may come more than once. `source` is the
 * records' own: the fold counts for a receipt of that source only.
 */
export type ReceiptFold = {
  receipt: string;
  source: string;
  applied: readonly number[];
  duplicates: readonly number[];
  refused: readonly number[];
  records: readonly ReceiptRecord[];
};

/** A record of a push that is not plainly applied, or that cut revisions (docs/operations.md#receipts). */
export type ReceiptRecord = {
  index: number;
  /** What the sets of a receipt have for it, where that is not its index. */
  place?: number;
  state: 'applied' | 'duplicate' | 'refused';
  game_id: string | null;
  seq: number | null;
  rows: number | null;
  /** Revisions that the record cut. */
  revisions?: readonly { dataset: string; epoch: string; revision: number }[];
  refusals: readonly { pointer: string; code: string }[];
};

export type KeyUse =
  | { kind: 'new' }
  /** Used with the same body before; `logged`: its records are in the log and its receipt stands. */
  | { kind: 'repeated'; receipt: string; logged: boolean }
  | { kind: 'conflict' };

/** A source that has pushed, or has a rank. */
export type PushingSource = { source: string; firstSeen: Micros; lastSeen: Micros; pushes: number; rank: number };

export interface PushCatalog {
  /** Claims an Idempotency-Key for a body, or tells how it was used (kept 24 h by the database's clock). */
  useKey(source: string, key: string, bodySha256: string, receipt: string): Promise<KeyUse>;
  /** Gives up the claim of `receipt` on a key, unless its records are in the log: a push that was refused whole has not used it. */
  releaseKey(source: string, key: string, receipt: string): Promise<void>;
  /** Records the receipt (and its key as logged) together with the dead letters of what was refused, in one transaction. */
  acknowledge(entry: ReceiptEntry, key: string | null, deadLetters: readonly DeadLetter[]): Promise<void>;
  receipt(receipt: string): Promise<ReceiptState | null>;
  /** Pushes are counted behind the acknowledgements: a catalog that cannot take the counts now costs none of them. */
  sources(): Promise<readonly PushingSource[]>;
  /** The rank of a source: 0 for one without a rank. */
  rankOf(source: string): Promise<number>;
  /** Makes a source known with this rank, unless it is known already. */
  foundSource(source: string, rank: number): Promise<void>;
  /** Gives a source a rank, whether it has pushed or not; resolves to the one before. */
  rankSource(source: string, rank: number): Promise<number>;
  /** Forgets receipts and idempotency keys older than 24 h. */
  expire(): Promise<void>;
  /** Writes down what is counted and not written yet, where that works now. */
  flush(): Promise<void>;
}
