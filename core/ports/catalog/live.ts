// The catalog as the live projector and the readers of live data know it: what a commit moves, what is served.
import type { ClosedGame } from '../../settlement/closed-game.ts';
import type { Micros } from '../../units.ts';
import type { FileRef, ObjectKey } from '../object-store.ts';
import type { CommitAnswer, FlushCommit } from './checkpoints.ts';

export type PublishedTail = { seq: number; rows: number; min_timestamp: Micros; max_timestamp: Micros; file: FileRef };
export type PublishedBoard = { operator: string; rows: number; file: FileRef };
export type PublishedOperator = { last_row_at: Micros; observed_through: Micros | null; source: string };

export type ClosedSegment = {
  seq: number;
  rows: number;
  min_timestamp: Micros;
  max_timestamp: Micros;
  key: ObjectKey;
  size: number;
  sha256: string;
};

/** The facts of one game's log after a commit. */
export type GamePublication = {
  gameUuid: string;
  generation: number;
  /** Of its columns and rules. */
  logVersion: string;
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
  /** Whether the log was started over with this commit: what was published of the game before this generation is forgotten. */
  restarted: boolean;
};

/** A game that waits for its close, goes on again, or is closed. `ticked`: the ticker speaks to it. */
export type SettlementMove = { gameUuid: string; ticked: boolean; closed: ClosedGame | null };

export type LiveCommit = FlushCommit & {
  games: readonly GamePublication[];
  settlements: readonly SettlementMove[];
};

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

/** What of a log the next flush goes on from: the files that are current; and its version, null where none was noted. */
export type PublishedLog = Pick<ServedLog, 'gameUuid' | 'generation' | 'tail' | 'boards'> & {
  logVersion: string | null;
};

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
  /** @throws UnknownCommit when the answer to COMMIT was lost; CatalogRefused when the commit is none that can ever be taken. */
  commit(commit: LiveCommit): Promise<CommitAnswer>;
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

  /**
   * Partitions of quotes that get a tick now: those with a game that has an open offer and whose newest applied observation was
   * receive-timed (docs/quotes.md#ticks). Ascending.
   */
  tickingPartitions(): Promise<readonly number[]>;
  /** Games a source has bound an event to or owns an operator in, with an open offer (or no log yet): for ticks of a replay. */
  gamesOpenFor(source: string): Promise<readonly { gameUuid: string; gameId: string; league: string }[]>;
  /** The database's clock. */
  now(): Promise<Micros>;
}
