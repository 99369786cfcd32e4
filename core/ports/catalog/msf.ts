// The catalog as the revision projector and the readers of MSF data know it: streams, their epochs, revisions and archives. A commit is one
// transaction under the fence of every projector; what it publishes of a revision or an archive never changes afterwards.

import type { GameStatus } from '../../games/status.ts';
import type { Lineups } from '../../msf/states/lineups.ts';
import type { Freshness, MsfDataset, Revision } from '../../msf/types.ts';
import type { League, Micros } from '../../units.ts';
import type { FileRef } from '../object-store.ts';
import type { CommitAnswer, FlushCommit } from './checkpoints.ts';

/** One Parquet file of a revision. */
export type FilePart = { rows: number; file: FileRef };

/** A revision with its files, in their order. */
export type PublishedRevision = Revision & { changeFiles: readonly FilePart[]; snapshotFiles: readonly FilePart[] };

/** A revision as it is served by itself; `publishedAt`: when it was committed, by the database's clock. */
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
  /** Of the change files and the baseline. */
  rows: number;
  bytes: number;
  committedAt: Micros;
};

/** What a reader of one archive is given: its document as it was published, and its files. */
export type StoredArchive = Archive & {
  /** JSON text of the interface's Archive, and the SHA-256 of it that was committed. */
  document: string;
  documentSha256: string;
  baseline: readonly FilePart[];
  changes: readonly { revision: number; files: readonly FilePart[] }[];
};

/** What a flush publishes of one stream. */
export type StreamPublication = StreamName & {
  scopeId: string;
  league: League;
  /** The epoch that is current after the commit. */
  epoch: string;
  /** The epoch that is current no longer, when this commit began another. */
  replaces: string | null;
  /** The newest revision of the epoch, null while there is none. */
  head: number | null;
  freshness: Freshness;
  revisions: readonly PublishedRevision[];
  archives: readonly Omit<StoredArchive, 'committedAt'>[];
  /** Revisions of the epoch below this are listed no longer; those below `deletedBelow` give up what no archive holds. */
  listedFrom: number;
  deletedBelow: number;
  /** From when on a tick has something to do in it — settle it, archive, forget revisions —; null: nothing waits for time. */
  ticksFrom: Micros | null;
};

/** What MSF says of a game, moved in the same commit (docs/revisions.md; docs/quotes.md#game-statuses). `null`: as it is. */
export type GameMove = {
  gameUuid: string;
  gameId: string;
  league: League;
  status: GameStatus | null;
  statusAt: Micros;
  scheduledStart: Micros | null;
};

/** Who begins a game, as its newest applied line-up says (docs/settlement.md#line-ups). */
export type GameLineups = Lineups & { gameUuid: string };

export type MsfCommit = FlushCommit & {
  streams: readonly StreamPublication[];
  moves: readonly GameMove[];
  lineups: readonly GameLineups[];
};

/** What the next flush of a stream goes on from: where it stands, and the revisions of its current epoch that no archive holds yet. */
export type PublishedStream = StreamName & {
  epoch: string;
  head: number | null;
  /** Of the state at the head. */
  digest: string | null;
  unarchived: readonly PublishedRevision[];
};

/** A stream as it is served: its current epoch and the newest revision of it. */
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
 * Pages of 64 in commit order; `page` counts from 0. A page that is full has a next one, be it an empty one: so that it never changes. Null where
 * there is no such page (page 0 exists with the first archive).
 */
export type ArchivesPage = { archives: readonly Archive[]; next: boolean };

/** Announced at each commit that moves a stream. */
export type MsfNotice = StreamName & { version: number };

export interface MsfCatalog {
  /** @throws UnknownCommit when the answer to COMMIT was lost. */
  commit(commit: MsfCommit): Promise<CommitAnswer>;
  publishedIn(partition: number): Promise<readonly PublishedStream[]>;

  stream(name: StreamName): Promise<ServedStream | null>;
  /** The last revision of an epoch that is, or was, one of the stream; 0 where it has none yet. Null: the stream never had it. */
  lastOfEpoch(name: StreamName, epoch: string): Promise<number | null>;
  /** Listed revisions above `after` up to `through`, ascending. */
  revisions(query: RevisionsQuery): Promise<readonly PublishedRevision[]>;
  /** Null also when it is kept no longer. The first of an archive is kept as long as the archive, whatever its epoch. */
  revision(name: StreamName, epoch: string, revision: number): Promise<KeptRevision | null>;
  archivesPage(league: League, dataset: MsfDataset, page: number): Promise<ArchivesPage | null>;
  archive(id: string, dataset: MsfDataset): Promise<StoredArchive | null>;

  /**
   * Scopes that get a tick now: those with something to settle, to archive or to forget (docs/revisions.md#archives), and games that were
   * minted since their streams were published: the tick brings the public id.
   */
  tickingScopes(): Promise<readonly { scopeUuid: string; scopeId: string; league: League }[]>;
  /** Calls back at each commit's notice; `lost` after a broken connection: anything may have moved. Returns a way to stop. */
  watch(handlers: { moved(notice: MsfNotice): void; lost(): void }): Promise<() => Promise<void>>;
}

/** What stays of streams: the part of docs/revisions.md#retention that no reader waits for. */
export interface MsfRetention {
  /**
   * Gives up revisions that are deleted or of a replaced epoch, and are no archive's first: their rows, and the use of their snapshots'
   * objects. Only what an archive holds is given up. Answers how many.
   */
  forgetRevisions(): Promise<number>;
}
