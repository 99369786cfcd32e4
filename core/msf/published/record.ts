// A revision as readers see it (docs/interface.md#revision-record): the same members in a snapshot, a listing and an archive; only the
// files that it lists differ. schemas/http/msf.ts defines the shapes.
import type { FilePart, PublishedRevision } from '../../ports/catalog/msf.ts';
import { formatMicros } from '../../time/rfc3339.ts';
import type { Micros } from '../../units.ts';
import type { Coverage, Freshness, MsfDataset, RevisionKind, RevisionStatus, Scope, TimestampBasis } from '../types.ts';
import { formatCursor } from './cursor.ts';

/** Version of the columns, and of the record itself (docs/interface.md#archive). */
export const msfSchemaVersion = 'v1';

type RevisionFileRecord = { rows: number; sha256: string; url: string };
export type ScopeRecord = { kind: 'game'; game_id: string };

export type RevisionRecord = {
  dataset: MsfDataset;
  scope: ScopeRecord;
  schema_version: string;
  stream_epoch: string;
  revision: number;
  revision_kind: RevisionKind;
  is_baseline: boolean;
  history_origin: 'captured' | 'reconstructed';
  source_observation: {
    source_revision: string;
    source_updated_at: string;
    request_started_at: string;
    timestamp_basis: TimestampBasis;
    source_played_status: string | null;
    source_schedule_status: string | null;
  };
  materialized_at: string;
  status: RevisionStatus;
  coverage: {
    state: Coverage['state'];
    coverage_start: string | null;
    coverage_end: string | null;
    gaps: string[];
  };
  pending_source_revision: string | null;
  files: RevisionFileRecord[];
  row_count: number;
  cursor: string;
  snapshot_digest: string;
  snapshot_row_count: number;
};

export type FreshnessRecord = { [Member in keyof Freshness]: string | null };

/** The scope of a record: a league's own stream is identified by the league's code. docs/interface.md#league-scope. */
export function scopeRecord({ id }: Pick<Scope, 'id'>): ScopeRecord {
  return { kind: 'game', game_id: id };
}

/** The files of a record, each at the address that `addressOf` gives to its index. */
function fileRecords(files: readonly FilePart[], addressOf: (index: number) => string): RevisionFileRecord[] {
  return files.map(({ rows, file }, index) => ({ rows, sha256: file.sha256, url: addressOf(index) }));
}

/** The record of a revision with the files of its change, or of the whole state. docs/interface.md#revision-record. */
export function revisionRecord(
  revision: PublishedRevision,
  scope: Scope,
  files: { of: 'change' | 'snapshot'; addressOf(index: number): string },
): RevisionRecord {
  const { dataset, epoch, coverage, sourceObservation: source } = revision;
  const ofChange = files.of === 'change';
  return {
    dataset,
    scope: scopeRecord(scope),
    schema_version: msfSchemaVersion,
    stream_epoch: epoch,
    revision: revision.revision,
    revision_kind: revision.kind,
    is_baseline: revision.revision === 1,
    history_origin: revision.historyOrigin,
    source_observation: {
      source_revision: source.source_revision,
      source_updated_at: formatMicros(source.source_updated_at),
      request_started_at: formatMicros(source.request_started_at),
      timestamp_basis: source.timestamp_basis,
      source_played_status: source.source_played_status,
      source_schedule_status: source.source_schedule_status,
    },
    materialized_at: formatMicros(revision.materializedAt),
    status: revision.status,
    coverage: {
      state: coverage.state,
      coverage_start: timeOrNull(coverage.coverage_start),
      coverage_end: timeOrNull(coverage.coverage_end),
      gaps: [...coverage.gaps],
    },
    pending_source_revision: revision.pendingSourceRevision,
    files: fileRecords(ofChange ? revision.changeFiles : revision.snapshotFiles, files.addressOf),
    row_count: ofChange ? revision.changeRows : revision.snapshotRows,
    cursor: formatCursor({ dataset, scopeUuid: scope.uuid, epoch, revision: revision.revision }),
    snapshot_digest: revision.snapshotDigest,
    snapshot_row_count: revision.snapshotRows,
  };
}

/** docs/interface.md#revision-record: every member is either known from an observation or null. */
export function freshnessRecord(freshness: Freshness): FreshnessRecord {
  return {
    newest_applied_source_updated_at: timeOrNull(freshness.newest_applied_source_updated_at),
    last_changed_at: timeOrNull(freshness.last_changed_at),
    latest_request_started_at: timeOrNull(freshness.latest_request_started_at),
    last_pull_success_observed_at: timeOrNull(freshness.last_pull_success_observed_at),
    last_normalized_at: timeOrNull(freshness.last_normalized_at),
    health_observed_at: timeOrNull(freshness.health_observed_at),
  };
}

export function timeOrNull(time: Micros | null): string | null {
  return time === null ? null : formatMicros(time);
}
