// The catalog as the live projector and the readers of live data know it: the fence, what a commit moves, what is served.
// A commit is one transaction; it happens whole, or the caller is fenced, or nobody knows (UnknownCommit) and must look.
import type { Micros } from '../../units.ts';
import type { FileRef } from '../object-store.ts';

export type StreamKey = { projector: string; topic: string; partition: number };

/** What a new owner starts from: the snapshot's state, re-folded up to `nextOffset`. */
export type Claim = {
  ownerEpoch: number;
  nextOffset: number;
  foldDigest: string | null;
  snapshot: { key: string; offset: number } | null;
};

export type PublishedTail = { seq: number; rows: number; min_timestamp: Micros; max_timestamp: Micros; file: FileRef };
export type PublishedBoard = { operator: string; rows: number; file: FileRef };
export type PublishedOperator = { last_row_at: Micros; observed_through: Micros | null; source: string };

export type ClosedSegment = {
  seq: number;
  rows: number;
  min_timestamp: Micros;
  max_timestamp: Micros;
  key: string;
  size: number;
  sha256: string;
};

/** The facts of one game's log after a commit. */
export type GamePublication = {
  gameUuid: string;
  generation: number;
  firstSeq: number;
  rows: number;
  appliedThrough: Micros | null;
  logTime: Micros | null;
  tail: PublishedTail | null;
  closed: readonly ClosedSegment[];
  boards: readonly PublishedBoard[];
  operators: Readonly<Record<string, PublishedOperator>>;
  openOffer: boolean;
  receiveTimed: boolean;
  /** The start as the fold has it, null while no record told one. Taken over where it is another, unless a schedule told the game's. */
  scheduledStart: Micros | null;
  /** The tail version that this commit supersedes: listed until it is collected. */
  superseded: { seq: number; rows: number; file: FileRef } | null;
};

export type DeadLetter = {
  topic: string;
  partition: number | null;
  offset: number | null;
  code: string;
  detail: string;
  pointer: string;
  source: string | null;
  gameUuid: string | null;
  gameId: string | null;
  receipt: string | null;
  pushIndex: number | null;
  payload: Uint8Array;
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

/** A record of a push that is not plainly applied, or that cut revisions (operations.md, receipts). */
export type ReceiptRecord = {
  index: number;
  state: 'applied' | 'duplicate' | 'refused';
  game_id: string | null;
  seq: number | null;
  rows: number | null;
  /** Revisions that the record cut. */
  revisions?: readonly { dataset: string; epoch: string; revision: number }[];
  refusals: readonly { pointer: string; code: string }[];
};

export type LiveCommit = {
  stream: StreamKey;
  ownerEpoch: number;
  from: number;
  to: number;
  foldDigest: string;
  snapshot: { key: string; offset: number } | null;
  games: readonly GamePublication[];
  /** Objects this commit begins to use, with the number of files in each that are current. */
  objects: readonly { key: string; size: number; files: number }[];
  /** Files that are current no longer, per object. */
  released: readonly { key: string; files: number }[];
  deadLetters: readonly DeadLetter[];
  receipts: readonly ReceiptFold[];
};

export type CommitAnswer = 'committed' | 'fenced';

/** The connection broke while COMMIT was under way. The caller re-reads `position`. */
export class UnknownCommit extends Error {
  override readonly name = 'UnknownCommit';
}

/** One game's log as it is served. Times are micros. */
export type ServedLog = {
  gameUuid: string;
  generation: number;
  version: number;
  firstSeq: number;
  rows: number;
  appliedThrough: Micros | null;
  updatedAt: Micros;
  tail: PublishedTail | null;
  closed: readonly ClosedSegment[];
  boards: readonly PublishedBoard[];
  operators: Readonly<Record<string, PublishedOperator>>;
};

/** What of a log the next flush goes on from: the files that are current and still superseded. */
export type PublishedLog = Pick<ServedLog, 'gameUuid' | 'generation' | 'tail' | 'boards'>;

/** Announced at each commit: what moved, so that readers' memories follow. */
export type ServingNotice = { gameUuid: string; generation: number; version: number };

export type ServingHandlers = {
  moved(notice: ServingNotice): void;
  /** Final files of the game have landed. */
  landed?(gameUuid: string): void;
  /** Anything may have moved. */
  lost(): void;
};

export interface LiveCatalog {
  /** Takes the partition: bumps the owner epoch, which fences whoever held it. */
  claim(stream: StreamKey, ownerId: string): Promise<Claim>;
  /** @throws UnknownCommit when the answer to COMMIT was lost; CatalogRefused when the commit is none that can ever be taken. */
  commit(commit: LiveCommit): Promise<CommitAnswer>;
  /** Notes why this owner can go no further, unless another has claimed the stream meanwhile; the next claim takes the note away. */
  halt(stream: StreamKey, ownerEpoch: number, reason: string): Promise<void>;
  /** Where the stream stands and who owns it: how an unknown commit is resolved. */
  position(stream: StreamKey): Promise<{ ownerEpoch: number; nextOffset: number; foldDigest: string | null } | null>;
  /** The published facts of the partition's games: what a new owner's tails and boards continue. */
  publishedIn(partition: number): Promise<readonly PublishedLog[]>;

  /** The newest log of a game, or null. One statement: everything in it is of one commit. */
  servedLog(gameUuid: string): Promise<ServedLog | null>;
  /** The kept version of an open or closed segment with exactly `rows` rows, else the smallest kept one with at least as many. */
  tailVersion(
    gameUuid: string,
    generation: number,
    seq: number,
    rows: number,
  ): Promise<{ rows: number; file: FileRef } | null>;
  /** Calls back at each commit's notice; `lost` after a broken connection: anything may have moved. Returns a way to stop. */
  watchServing(handlers: ServingHandlers): Promise<() => Promise<void>>;

  /** Games that get a tick now: an open offer and a newest record that was receive-timed (quotes.md, Folding 11). */
  tickingGames(): Promise<readonly { gameUuid: string; gameId: string; league: string }[]>;
  /** Games a source has bound an event to or owns an operator in, with an open offer (or no log yet): for ticks of a replay. */
  gamesOpenFor(source: string): Promise<readonly { gameUuid: string; gameId: string; league: string }[]>;
  /** Takes or keeps the ticker's lease, which lasts a few seconds by the database's clock; false while another holds it. */
  holdTicker(): Promise<boolean>;

  /** Releases tail versions superseded before `before`; returns objects without current files released before it, at most `limit`. */
  collectable(before: Micros, limit: number): Promise<readonly string[]>;
  forgetObjects(keys: readonly string[]): Promise<void>;
  /** Which of the keys the catalog knows: the others are orphans. */
  knownObjects(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The database's clock. */
  now(): Promise<Micros>;
}
