// Types that the parts of MSF share: feeds, datasets, scopes, rows and revisions (docs/revisions.md). Independent of bodies, files and
// routes.
import type { League } from '../../schemas/reference/leagues.ts';
import type { ParquetRow } from '../ports/parquet.ts';
import type { Micros } from '../units.ts';
import type { feeds } from './feeds/feeds.ts';

/** The name of a feed that the gateway takes (docs/operations.md#push-gateway). */
export type MsfFeed = (typeof feeds)[number]['name'];

/** The datasets of streams, in the order in which an observation cuts their revisions. */
export const msfDatasets = ['game-state', 'plays', 'player-stats', 'team-stats', 'injuries'] as const;
export type MsfDataset = (typeof msfDatasets)[number];

/** A game or a league, which has streams. `id` is the public game id (the UUID until it is minted), or the league's code. */
export type Scope = { kind: 'game' | 'league'; uuid: string; id: string; league: League };

/** A row of a state: `line` is its canonical form without newline (docs/revisions.md#digest), which represents the whole row. */
export type StateRow = { readonly row: ParquetRow; readonly line: string };

/** A dataset's state: its rows in key order. */
export type DatasetState = readonly StateRow[];

export type ChangedRow = StateRow & { readonly op: 'upsert' | 'delete' };

export type RevisionKind = 'patch' | 'append' | 'replace';
export type RevisionStatus = 'provisional' | 'verified';
export type TimestampBasis = 'source' | 'request_start' | 'unverified';

export type SourceObservation = {
  source_revision: string;
  source_updated_at: Micros;
  request_started_at: Micros;
  timestamp_basis: TimestampBasis;
  source_played_status: string | null;
  source_schedule_status: string | null;
};

export type Coverage = {
  state: 'complete' | 'legacy_partial' | 'degraded';
  coverage_start: Micros | null;
  coverage_end: Micros | null;
  gaps: readonly string[];
};

/** The facts of a revision, without its files. Immutable once it is cut (I12). */
export type Revision = {
  dataset: MsfDataset;
  epoch: string;
  revision: number;
  kind: RevisionKind;
  historyOrigin: 'captured' | 'reconstructed';
  sourceObservation: SourceObservation;
  /** Log time of the record that cut it. */
  materializedAt: Micros;
  status: RevisionStatus;
  coverage: Coverage;
  pendingSourceRevision: string | null;
  liveCaptureStartedAt: Micros | null;
  /** Rows of its change. */
  changeRows: number;
  snapshotRows: number;
  snapshotDigest: string;
};

/** A revision and the rows of its files. `scopeId`: the scope's public id when it was cut. */
export type CutRevision = Revision & { scopeId: string; change: readonly ChangedRow[]; snapshot: DatasetState };

/** docs/interface.md#revision-record: every member is either known from an observation or null. */
export type Freshness = {
  newest_applied_source_updated_at: Micros | null;
  last_changed_at: Micros | null;
  latest_request_started_at: Micros | null;
  last_pull_success_observed_at: Micros | null;
  last_normalized_at: Micros | null;
  health_observed_at: Micros | null;
};
