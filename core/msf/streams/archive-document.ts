// The document that describes an archive to its readers (docs/interface.md#archive; docs/revisions.md#archives): the state after its first
// revision, and the record of each. It is made once, when the archive is cut, and never changes: nothing in it depends on the time of
// reading or the process.
import type { PublishedRevision } from '../../ports/catalog/msf.ts';
import { formatMicros } from '../../time/rfc3339.ts';
import type { Micros } from '../../units.ts';
import { archiveFileAddress, revisionFileAddress } from '../published/addresses.ts';
import {
  type FreshnessRecord,
  freshnessRecord,
  msfSchemaVersion,
  type RevisionRecord,
  revisionRecord,
  type ScopeRecord,
  scopeRecord,
  timeOrNull,
} from '../published/record.ts';
import type { Freshness, MsfDataset, Scope } from '../types.ts';

type ArchiveBaselineRecord = RevisionRecord & {
  live_capture_started_at: string | null;
  poll_after: number;
  freshness: FreshnessRecord;
};

export type ArchiveDocument = {
  archive_id: string;
  dataset: MsfDataset;
  scope: ScopeRecord;
  schema_version: string;
  stream_epoch: string;
  first_revision: number;
  last_revision: number;
  source_start: string;
  source_end: string;
  baseline: ArchiveBaselineRecord;
  revisions: RevisionRecord[];
};

/** An archive never changes, so this is the longest value of docs/interface.md#poll-hint. */
const pollAfterSeconds = 3_600;

/** docs/interface.md#archive-descriptor. */
export function archiveId({ epoch, first, last }: { epoch: string; first: number; last: number }): string {
  return `${epoch}-${first}-${last}`;
}

/** The time span of the sources of an archive's revisions: the oldest and the newest stamp. */
export function sourceSpan(revisions: readonly PublishedRevision[]): { start: Micros; end: Micros } {
  const times = revisions.map(({ sourceObservation }) => sourceObservation.source_updated_at);
  return { start: Math.min(...times), end: Math.max(...times) };
}

/** The document of an archive of `revisions`, consecutive ones of one epoch; `freshness`: as of the cut. */
export function archiveDocument(
  scope: Scope,
  revisions: readonly [PublishedRevision, ...PublishedRevision[]],
  freshness: Freshness,
): ArchiveDocument {
  const [first] = revisions;
  const { dataset, epoch } = first;
  const last = revisions.at(-1) ?? first;
  const id = archiveId({ epoch, first: first.revision, last: last.revision });
  const { start, end } = sourceSpan(revisions);
  const snapshotAddress = (index: number) =>
    revisionFileAddress(scope, dataset, epoch, first.revision, 'snapshot', index);
  return {
    archive_id: id,
    dataset,
    scope: scopeRecord(scope),
    schema_version: msfSchemaVersion,
    stream_epoch: epoch,
    first_revision: first.revision,
    last_revision: last.revision,
    source_start: formatMicros(start),
    source_end: formatMicros(end),
    baseline: {
      ...revisionRecord(first, scope, { of: 'snapshot', addressOf: snapshotAddress }),
      is_baseline: true,
      live_capture_started_at: timeOrNull(first.liveCaptureStartedAt),
      poll_after: pollAfterSeconds,
      freshness: freshnessRecord(freshness),
    },
    revisions: revisions.map((revision) => {
      const addressOf = (index: number) => archiveFileAddress(scope, dataset, id, revision.revision, index);
      return revisionRecord(revision, scope, { of: 'change', addressOf });
    }),
  };
}
