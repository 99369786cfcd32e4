// The documents of streams: the snapshot manifest, the change listing and the page of archives (docs/interface.md#snapshot-manifest;
// docs/interface.md#change-listing; docs/interface.md#archive). Each is made from one version of its stream; its addresses are complete.
import { archiveAddress, revisionFileAddress } from '../../core/msf/published/addresses.ts';
import { formatCursor } from '../../core/msf/published/cursor.ts';
import {
  freshnessRecord,
  msfSchemaVersion,
  revisionRecord,
  scopeRecord,
  timeOrNull,
} from '../../core/msf/published/record.ts';
import type { Revision } from '../../core/msf/types.ts';
import type { Archive, KeptRevision, PublishedRevision, ServedStream } from '../../core/ports/catalog/msf.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { ArchiveDescriptor, ChangeListing, RevisionDocument, SnapshotManifest } from '../../schemas/http/msf.ts';
import type { StreamOf } from './refusals.ts';

export function snapshotManifest(
  of: StreamOf,
  { freshness }: ServedStream,
  revision: KeptRevision,
  pollAfter: number,
): SnapshotManifest {
  return {
    ...recordOf(of, revision, 'snapshot'),
    live_capture_started_at: timeOrNull(revision.liveCaptureStartedAt),
    poll_after: pollAfter,
    published_at: formatMicros(revision.publishedAt),
    freshness: freshnessRecord(freshness),
  };
}

/** One page of a listing: `revisions` after `after`, up to the mark `highWater`. */
export type ChangesPage = { after: number; highWater: number; revisions: readonly PublishedRevision[] };

export function changeListing(
  of: StreamOf,
  { epoch, freshness }: ServedStream,
  { after, highWater, revisions }: ChangesPage,
  pollAfter: number,
): ChangeListing {
  const { scope, dataset } = of;
  const last = revisions.at(-1)?.revision ?? after;
  return {
    dataset,
    scope: scopeRecord(scope),
    schema_version: msfSchemaVersion,
    stream_epoch: epoch,
    high_water_revision: highWater,
    revisions: revisions.map((revision) => recordOf(of, revision, 'change')),
    cursor: formatCursor({ dataset, scopeUuid: scope.uuid, epoch, revision: last }),
    poll_after: pollAfter,
    freshness: freshnessRecord(freshness),
  };
}

/** The facts that a revision's ETag covers. Freshness is left out, because it changes with every pull. docs/interface.md#entity-tags. */
export function taggedFacts({ epoch, revision, status, coverage }: Revision): readonly unknown[] {
  const { state, coverage_start, coverage_end, gaps } = coverage;
  return [epoch, revision, status, state, coverage_start, coverage_end, ...gaps];
}

/** docs/interface.md#archive-descriptor. */
export function archiveDescriptor(archive: Archive): ArchiveDescriptor {
  const { id, scopeId, league, dataset } = archive;
  const scope = { kind: scopeId === league ? 'league' : 'game', id: scopeId } as const;
  return {
    archive_id: id,
    game_id: scopeId,
    stream_epoch: archive.epoch,
    first_revision: archive.first,
    last_revision: archive.last,
    revision_count: archive.last - archive.first + 1,
    source_start: formatMicros(archive.sourceStart),
    source_end: formatMicros(archive.sourceEnd),
    row_count: archive.rows,
    bytes: archive.bytes,
    committed_at: formatMicros(archive.committedAt),
    url: archiveAddress(scope, dataset, id),
  };
}

function recordOf(
  { scope, dataset }: StreamOf,
  revision: PublishedRevision,
  kind: 'snapshot' | 'change',
): RevisionDocument {
  const addressOf = (index: number) =>
    revisionFileAddress(scope, dataset, revision.epoch, revision.revision, kind, index);
  return revisionRecord(revision, scope, { of: kind, addressOf });
}
