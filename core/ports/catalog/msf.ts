// MSF data in the catalog, for the revision projector and its readers: streams, their epochs, revisions and archives. A commit is one
// transaction under the same fence as every projector's; what it publishes of a revision or an archive never changes.

import type { League } from '../../../schemas/reference/leagues.ts';
import type { GameStatus } from '../../games/status.ts';
import type { Lineups } from '../../msf/states/lineups.ts';
import type { Freshness, MsfDataset, Revision } from '../../msf/types.ts';
import type { Micros } from '../../units.ts';
import type { FileRef } from '../object-store.ts';
import type { CommitAnswer, FlushCommit } from './checkpoints.ts';

/** One Parquet file of a revision. */
export type FilePart = { rows: number; file: FileRef };

/** A revision and its files, in order. */
export type PublishedRevision = Revision & { changeFiles: readonly FilePart[]; snapshotFiles: readonly FilePart[] };

/** A single revision as served; `publishedAt`: when it was committed, by the database's clock. */
export type KeptRevision = PublishedRevision & { publishedAt: Micros };

/** One stream: a dataset of a scope. */
export type StreamName = { scopeUuid: string; dataset: MsfDataset };

export type Archive = {
  id: string;
  scopeUuid: string;
  /** `game_id` of the descriptor: the public id, or the league's code. */
  scopeId: string;
  league: League;
  dataset: MsfDataset;
  epoch: string;
  first: number;
  last: number;
  sourceStart: Micros;
  sourceEnd: Micros;
  /** Of the change files and the baseline together. */
  rows: number;
  bytes: number;
  committedAt: Micros;
};

/** What a reader of one archive gets: its document as published, and its files. */
export type StoredArchive = Archive & {
  /** JSON text of the interface's Archive, and the committed SHA-256 of it. */
  document: string;
  documentSha256: string;
  baseline: readonly FilePart[];
  changes: readonly { revision: number; files: readonly FilePart[] }[];
};

/** What a flush publishes of one stream. */
export type StreamPublication = StreamName & {
  scopeId: string;
  league: League;
  /** The current epoch after the commit. */
  epoch: string;
  /** The epoch that this commit replaced, if it began another. */
  replaces: string | null;
  /** The newest revision of the epoch; null if there is none. */
  head: number | null;
  freshness: Freshness;
  revisions: readonly PublishedRevision[];
  archives: readonly Omit<StoredArchive, 'committedAt'>[];
  /** Revisions of the epoch below this are no longer listed; those below `deletedBelow` are deleted except for what an archive holds. */
  listedFrom: number;
  deletedBelow: number;
  /** When the next tick has work in it (settle, archive or delete revisions); null: none is due. */
  ticksFrom: Micros | null;
};

/** What MSF reports of a game, committed with the streams (docs/revisions.md; docs/quotes.md#game-statuses). `null`: unchanged. */
export type GameMove = {
  gameUuid: string;
  gameId: string;
  league: League;
  status: GameStatus | null;
  statusAt: Micros;
  scheduledStart: Micros | null;
};

/** The starters of a game, from its newest applied line-up (docs/settlement.md#line-ups). */
export type GameLineups = Lineups & { gameUuid: string };

export type MsfCommit = FlushCommit & {
  streams: readonly StreamPublication[];
  moves: readonly GameMove[];
  lineups: readonly GameLineups[];
};

/** What the next flush of a stream continues from: its position, and the revisions of its current epoch that are in no archive yet. */
export type PublishedStream = StreamName & {
  epoch: string;
  head: number | null;
  /** Digest of the state at the head. */
  digest: string | null;
  unarchived: readonly PublishedRevision[];
};

/** A stream as served: its current epoch and that epoch's newest revision. */
export type ServedStream = StreamName & {
  scopeId: string;
  league: League;
  epoch: string;
  head: PublishedRevision | null;
  /** The oldest revision that is still listed. */
  listedFrom: number;
  freshness: Freshness;
  /** When the head was committed, by the database's clock. */
  publishedAt: Micros;
  version: number;
};

export type RevisionsQuery = StreamName & { epoch: string; after: number; through: number; limit: number };

/**
 * Pages of 64 in commit order; `page` counts from 0. A full page always names a next one, which may be empty, so that a full page never
 * changes. Null: no such page (page 0 exists with the first archive).
 */
export type ArchivesPage = { archives: readonly Archive[]; next: boolean };

/** Published on each commit that changes a stream. */
export type MsfNotice = StreamName & {
  version: number;
  /** Of the span that committed it for its push; left out: it is not traced. */
  traceparent?: string;
};

export interface MsfCatalog {
  /** @throws UnknownCommit when the answer to COMMIT was lost. */
  commit(commit: MsfCommit): Promise<CommitAnswer>;
  publishedIn(partition: number): Promise<readonly PublishedStream[]>;

  stream(name: StreamName): Promise<ServedStream | null>;
  /** The last revision of a current or former epoch of the stream; 0 if it has none yet. Null: the stream never had this epoch. */
  lastOfEpoch(name: StreamName, epoch: string): Promise<number | null>;
  /** Listed revisions above `after` up to `through`, ascending. */
  revisions(query: RevisionsQuery): Promise<readonly PublishedRevision[]>;
  /** Null also if it is no longer kept. The first revision of an archive is kept as long as the archive, whatever its epoch. */
  revision(name: StreamName, epoch: string, revision: number): Promise<KeptRevision | null>;
  archivesPage(league: League, dataset: MsfDataset, page: number): Promise<ArchivesPage | null>;
  archive(id: string, dataset: MsfDataset): Promise<StoredArchive | null>;

  /**
   * Scopes that need a tick now: those with something to settle, archive or delete (docs/revisions.md#archives), and games minted since
   * their streams were published: the tick brings them the public id.
   */
  tickingScopes(): Promise<readonly { scopeUuid: string; scopeId: string; league: League }[]>;
  /**
   * Calls back on each commit's notice; calls `lost` after a broken connection: anything may have changed. Returns a function that stops
   * watching.
   */
  watch(handlers: { moved(notice: MsfNotice): void; lost(): void }): Promise<() => Promise<void>>;
}

/** Deletes old MSF data: the part of docs/revisions.md#retention that runs in the background. */
export interface MsfRetention {
  /**
   * Deletes the rows of revisions that are past retention or of a replaced epoch, and releases their snapshots' objects. Keeps what an
   * archive needs. Returns how many it deleted.
   */
  forgetRevisions(): Promise<number>;
}
