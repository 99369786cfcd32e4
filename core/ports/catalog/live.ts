// Live data in the catalog, for the live projector and its readers: what a commit changes, and what is served.
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
  /** From the columns and rules of the log. */
  logVersion: string;
  firstSeq: number;
  rows: number;
  appliedThrough: Micros | null;
  logTime: Micros | null;
  tail: PublishedTail | null;
  closed: readonly ClosedSegment[];
  /** Those that this commit changes, in code order of their sportsbooks; the others stay. */
  boards: readonly PublishedBoard[];
  operators: Readonly<Record<string, PublishedOperator>>;
  openOffer: boolean;
  receiveTimed: boolean;
  /** The fold's start; null until a record reports one. It replaces the game's start, unless that came from a schedule. */
  scheduledStart: Micros | null;
  /** The tail version that this commit supersedes; it stays listed until it is collected. */
  superseded: { seq: number; rows: number; file: FileRef } | null;
  /** Whether this commit rebuilds the log: what earlier generations published of the game is dropped. */
  restarted: boolean;
};

/** A game that waits for its close, no longer waits, or is closed. `ticked`: ticks advance it. */
export type SettlementMove = { gameUuid: string; ticked: boolean; closed: ClosedGame | null };

export type LiveCommit = FlushCommit & {
  games: readonly GamePublication[];
  settlements: readonly SettlementMove[];
};

/** One game's log as served. Times are micros. */
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

/** What the next flush of a log continues from: its current files, and its version, null if not recorded. */
export type PublishedLog = Pick<ServedLog, 'gameUuid' | 'generation' | 'tail' | 'boards'> & {
  logVersion: string | null;
};

/** Published on each commit: what changed, so that readers refresh their memory. */
export type ServingNotice = {
  gameUuid: string;
  generation: number;
  version: number;
  /** Of the span that committed it for its push; left out: it is not traced. */
  traceparent?: string;
};

export type ServingHandlers = {
  moved(notice: ServingNotice): void;
  /** Final files of the game have landed. */
  landed?(gameUuid: string): void;
  /** Notices may have been lost: anything may have changed. */
  lost(): void;
};

export interface LiveCatalog {
  /** @throws UnknownCommit when the answer to COMMIT was lost; CatalogRefused when the catalog will never accept the commit. */
  commit(commit: LiveCommit): Promise<CommitAnswer>;
  /** The published facts of the partition's games, from which a new owner continues tails and boards. */
  publishedIn(partition: number): Promise<readonly PublishedLog[]>;
  /** The games of the partition whose close is committed. */
  closedIn(partition: number): Promise<readonly string[]>;

  /** When the game became known; none of its records is older. Null: the game is unknown. */
  knownSince(gameUuid: string): Promise<Micros | null>;

  /** The newest log of a game, or null. One statement: everything in it is of one commit. */
  servedLog(gameUuid: string): Promise<ServedLog | null>;
  /** The kept version of an open or closed segment with exactly `rows` rows, else the smallest kept one with at least as many. */
  tailVersion(
    gameUuid: string,
    generation: number,
    seq: number,
    rows: number,
  ): Promise<{ rows: number; file: FileRef } | null>;
  /**
   * Calls back on each commit's notice; calls `lost` after a broken connection: anything may have changed. Returns a function that stops
   * watching.
   */
  watchServing(handlers: ServingHandlers): Promise<() => Promise<void>>;

  /**
   * Partitions of quotes that need a tick now: those with a game that has an open offer and whose newest applied observation was
   * receive-timed (docs/quotes.md#ticks). Ascending.
   */
  tickingPartitions(): Promise<readonly number[]>;
  /**
   * Whether the game has ended and ticks are to close it. A source-timed observation that is applied now would end these, and the game would wait
   * for good (docs/quotes.md#ticks).
   */
  closesByTicks(gameUuid: string): Promise<boolean>;
  /**
   * Games with an open offer (or no log yet) to which the source has bound an event, or in which it owns a sportsbook: for the ticks of a
   * replay.
   */
  gamesOpenFor(source: string): Promise<readonly { gameUuid: string; gameId: string; league: string }[]>;
  /**
   * Of the games to which the source has bound these events: those that wait for time, but that ticks of their partition do not reach, because
   * their newest applied observation was source-timed.
   */
  gamesWithoutTicks(
    source: string,
    eventIds: readonly string[],
  ): Promise<readonly { gameUuid: string; gameId: string; league: string }[]>;
  /** The database's clock. */
  now(): Promise<Micros>;
}
