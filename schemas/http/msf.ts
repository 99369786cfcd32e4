// Bodies of the routes of the MSF datasets (docs/interface.md#revision-record; docs/interface.md#snapshot-manifest;
// docs/interface.md#change-listing; docs/interface.md#archive; docs/interface.md#two-forms).
import { z } from 'zod';
import { timestamp } from './games.ts';

/** The datasets of streams, by name. */
export const msfDatasetNames = ['game-state', 'injuries', 'player-stats', 'plays', 'team-stats'] as const;

const dataset = z.enum(msfDatasetNames).describe('The dataset of the stream.');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const filled = z.string().min(1);
const revisionNumber = z.int().min(1).describe('Number of a revision, from 1 in each epoch.');
const schemaVersion = filled.describe('Version of the columns of the files.');
const streamName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/)
  .describe('Epoch of the stream: revisions are numbered from 1 in each.');
const pollAfter = z.int().min(1).describe('Seconds after which polling again is worthwhile.');

export const revisionScope = z
  .strictObject({
    kind: z.literal('game').describe("Always `game`, of a league's own stream too."),
    game_id: filled.describe("Public game id; of a league's own stream the league code."),
  })
  .describe('Whose stream it is.');

export const sourceObservation = z.strictObject({
  source_revision: filled.describe("`sha256:` and the hash of the source's content, stamps left out."),
  source_updated_at: timestamp.describe('The version of the source that was observed, by its own clock.'),
  request_started_at: timestamp.describe('When the request that brought it began; else when it came in.'),
  timestamp_basis: z.enum(['source', 'request_start', 'unverified']).describe('What `source_updated_at` rests on.'),
  source_played_status: z.string().nullable().optional().describe('The status that the source gave, verbatim.'),
  source_schedule_status: z.string().nullable().optional().describe('The status that the source gave, verbatim.'),
});

export const coverage = z
  .strictObject({
    state: z
      .enum(['complete', 'legacy_partial', 'degraded'])
      .describe('`degraded`: `gaps` names what is missing; `legacy_partial`: made later, with holes.'),
    coverage_start: timestamp.nullable().describe('`source_updated_at` of the first observation of the dataset.'),
    coverage_end: timestamp.nullable().describe('`source_updated_at` of the last observation of the dataset.'),
    gaps: z.array(z.string()).describe('Each as `<from>/<to> <reason>`.'),
  })
  .describe('What was observed of the source.');

export const revisionFile = z.strictObject({
  rows: z.int().min(0).describe('Rows of the file.'),
  sha256: sha256.describe("Of the file's bytes."),
  url: filled.describe('To be fetched verbatim.'),
});

export const freshness = z
  .strictObject({
    newest_applied_source_updated_at: timestamp.nullable().describe('Newest source version in the served state.'),
    last_changed_at: timestamp.nullable().describe('When data changed last.'),
    latest_request_started_at: timestamp.nullable().describe('Newest start of a request to the source.'),
    last_pull_success_observed_at: timestamp.nullable().describe('Newest pull that is known to have succeeded.'),
    last_normalized_at: timestamp.nullable().describe('Newest normalisation.'),
    health_observed_at: timestamp.nullable().describe('When all this was observed.'),
  })
  .describe('How recent the served state is known to be.');

const revision = {
  dataset,
  scope: revisionScope,
  schema_version: schemaVersion,
  stream_epoch: streamName,
  revision: revisionNumber,
  revision_kind: z
    .enum(['patch', 'append', 'replace'])
    .describe('`replace`: the files are the whole state; `append`: only new keys; `patch`: rows are set and removed.'),
  is_baseline: z.boolean().describe('Whether a state can be built from these files alone.'),
  history_origin: z
    .enum(['captured', 'reconstructed'])
    .describe('`reconstructed`: made again from what was kept, after a reset of the stream.'),
  source_observation: sourceObservation.describe('The observation that cut it.'),
  materialized_at: timestamp.describe('When its files were made.'),
  status: z
    .enum(['provisional', 'verified'])
    .describe('`verified` once the game is over at the source and a later pull has agreed.'),
  coverage,
  pending_source_revision: z
    .string()
    .nullable()
    .describe('Null: an accepted observation is applied at once, or never.'),
  files: z.array(revisionFile).describe('Its rows: all files together, in order.'),
  row_count: z.int().min(0).describe("Rows of the record's own files."),
  cursor: filled.describe('The position after this revision.'),
  snapshot_digest: sha256.describe('Of the state after this revision.'),
  snapshot_row_count: z.int().min(0).describe('Rows of the state after this revision.'),
};

const served = {
  live_capture_started_at: timestamp.nullable().describe('When the first live observation of the epoch came in.'),
  poll_after: pollAfter,
  freshness,
};

export const revisionRecord = z.strictObject(revision);
export type RevisionDocument = z.infer<typeof revisionRecord>;

/** A row in the form of the digest. */
export const revisionRow = z.record(
  z.string(),
  z.union([z.string(), z.int(), z.boolean(), z.null(), z.array(z.union([z.string(), z.int()]))]),
);

export const revisionRows = z.strictObject({
  rows: z
    .array(revisionRow)
    .describe('In the order of the files. Rows of a change have `_op`, `upsert` or `delete`, after the columns.'),
});
export type RevisionRowsDocument = z.infer<typeof revisionRows>;

export const snapshotManifest = z.strictObject({
  ...revision,
  cursor: filled.describe('The position from which to follow changes.'),
  ...served,
  published_at: timestamp.describe('When this version was published.'),
});
export type SnapshotManifest = z.infer<typeof snapshotManifest>;

export const changeListing = z.strictObject({
  dataset,
  scope: revisionScope,
  schema_version: schemaVersion,
  stream_epoch: streamName,
  high_water_revision: z
    .int()
    .min(0)
    .describe('The highest revision of this walk: send it as `until_revision` for the pages that follow.'),
  revisions: z.array(revisionRecord).describe('In order, those after the cursor.'),
  cursor: filled.describe('After the last listed revision; as in the request if there is none.'),
  poll_after: pollAfter,
  freshness,
});
export type ChangeListing = z.infer<typeof changeListing>;

const archiveId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/)
  .describe('`<epoch>-<first revision>-<last revision>`.');

export const archiveBaseline = z.strictObject({ ...revision, ...served });

export const archive = z.strictObject({
  archive_id: archiveId,
  dataset,
  scope: revisionScope,
  schema_version: z.literal('v1').describe('Version of this document.'),
  stream_epoch: streamName,
  first_revision: revisionNumber.describe('Number of its first revision.'),
  last_revision: revisionNumber.describe('Number of its last revision.'),
  source_start: timestamp.describe("The source's time of its first revision."),
  source_end: timestamp.describe("The source's time of its last revision."),
  baseline: archiveBaseline.describe(
    'The state after the first revision: `revisions` continues with its second record.',
  ),
  revisions: z
    .array(revisionRecord)
    .min(1)
    .max(64)
    .describe('All its revisions in order; the first is that of the baseline.'),
});
export type ArchiveAnswer = z.infer<typeof archive>;

export const archiveDescriptor = z.strictObject({
  archive_id: archiveId,
  game_id: filled.describe("Public game id; of a league's own stream the league code."),
  stream_epoch: streamName,
  first_revision: revisionNumber.describe('Number of its first revision.'),
  last_revision: revisionNumber.describe('Number of its last revision.'),
  revision_count: z.int().min(1).max(64).describe('How many revisions it has.'),
  source_start: timestamp.describe("The source's time of its first revision."),
  source_end: timestamp.describe("The source's time of its last revision."),
  row_count: z.int().min(0).describe('Rows of all its files.'),
  bytes: z.int().min(0).describe('Bytes of all its files.'),
  committed_at: timestamp.describe('When it was committed; it never changes afterwards.'),
  url: filled.describe('Path of the archive on this host.'),
});
export type ArchiveDescriptor = z.infer<typeof archiveDescriptor>;

export const archivesPage = z.strictObject({
  dataset,
  scope: revisionScope,
  schema_version: schemaVersion,
  archives: z.array(archiveDescriptor).max(64).describe('In the order in which they were committed.'),
  next_cursor: z.string().nullable().describe('Null on the last page, the one that may grow.'),
});
export type ArchivesDocument = z.infer<typeof archivesPage>;
