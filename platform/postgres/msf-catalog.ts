// The catalog of MSF streams: what is served, what the next flush continues from, and which scopes get ticks. The commit is in its own
// file.

import type { Freshness, MsfDataset, Revision } from '../../core/msf/types.ts';
import type {
  ArchivesPage,
  FilePart,
  KeptRevision,
  MsfCatalog,
  MsfNotice,
  MsfRetention,
  PublishedRevision,
  PublishedStream,
  RevisionsQuery,
  ServedStream,
  StoredArchive,
  StreamName,
} from '../../core/ports/catalog/msf.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { tracedNotice } from './commit-parts.ts';
import { archiveColumns, documentColumns, toArchive, toStoredArchive } from './msf-archive-rows.ts';
import { commitMsf } from './msf-commit.ts';
import { forgetRevisions } from './msf-retention.ts';
import type { Sql, SqlRow } from './sql.ts';

/** Descriptors of a page of an archive listing (docs/interface.md#two-forms). */
const archivesPerPage = 64;

export function openMsfCatalog(sql: Sql): MsfCatalog & MsfRetention {
  return {
    commit: (commit) => commitMsf(sql, commit),
    publishedIn: (partition) => publishedIn(sql, partition),
    stream: (name) => streamNamed(sql, name),
    lastOfEpoch: (name, epoch) => lastOfEpoch(sql, name, epoch),
    revisions: (query) => listedRevisions(sql, query),
    revision: (name, epoch, revision) => keptRevision(sql, name, epoch, revision),
    archivesPage: (league, dataset, page) => archivesPage(sql, league, dataset, page),
    archive: (id, dataset) => archiveNamed(sql, id, dataset),
    tickingScopes: () => tickingScopes(sql),
    watch: (handlers) => watchStreams(sql, handlers),
    forgetRevisions: () => forgetRevisions(sql),
  };
}

/** Without archived revisions, which the projector does not need any more. */
async function publishedIn(sql: Sql, partition: number): Promise<PublishedStream[]> {
  const { rows } = await sql.query(
    `select s.scope_uuid, s.dataset, s.epoch, s.head, (
       select h.facts ->> 'snapshotDigest' from msf_revisions h
       where h.scope_uuid = s.scope_uuid and h.dataset = s.dataset and h.epoch = s.epoch and h.revision = s.head) as digest, (
       select coalesce(jsonb_agg(to_jsonb(r) order by r.revision), '[]') from msf_revisions r
       where r.scope_uuid = s.scope_uuid and r.dataset = s.dataset and r.epoch = s.epoch and r.revision > coalesce((
         select max(a.last) from msf_archives a
         where a.scope_uuid = s.scope_uuid and a.dataset = s.dataset and a.epoch = s.epoch), 0)) as unarchived
     from msf_streams s where s.partition = $1 order by s.scope_uuid, s.dataset`,
    [partition],
  );
  return rows.map((row) => ({
    ...toName(row),
    epoch: row.epoch as string,
    head: row.head as number | null,
    digest: row.digest as string | null,
    unarchived: (row.unarchived as SqlRow[]).map(toRevision),
  }));
}

async function streamNamed(sql: Sql, { scopeUuid, dataset }: StreamName): Promise<ServedStream | null> {
  const { rows } = await sql.query(
    `select s.scope_uuid, s.dataset, s.scope_id, s.league, s.epoch, s.listed_from, s.freshness, s.version, s.head,
       r.revision, r.facts, r.change_files, r.snapshot_files, coalesce(r.committed_at, s.updated_at) as published_at
     from msf_streams s left join msf_revisions r
       on r.scope_uuid = s.scope_uuid and r.dataset = s.dataset and r.epoch = s.epoch and r.revision = s.head
     where s.scope_uuid = $1 and s.dataset = $2`,
    [scopeUuid, dataset],
    'msf_stream',
  );
  const row = rows[0];
  if (row === undefined) return null;
  if (row.head !== row.revision) throw new Error(`the head of ${dataset} ${scopeUuid} is not among its revisions`);
  return {
    ...toName(row),
    scopeId: row.scope_id as string,
    league: row.league as League,
    epoch: row.epoch as string,
    head: row.revision === null ? null : toRevision(row),
    listedFrom: row.listed_from as number,
    freshness: row.freshness as Freshness,
    publishedAt: row.published_at as Micros,
    version: row.version as number,
  };
}

/** For an epoch that has ended, the last revision in its archives. */
async function lastOfEpoch(sql: Sql, { scopeUuid, dataset }: StreamName, epoch: string): Promise<number | null> {
  const { rows } = await sql.query(
    `with asked as (select $1::uuid as scope_uuid, $2::text as dataset, $3::text as epoch)
     select coalesce(
       (select head from msf_streams join asked using (scope_uuid, dataset, epoch)),
       (select max(last) from msf_archives join asked using (scope_uuid, dataset, epoch)), 0) as last
     where exists (select from msf_epochs join asked using (scope_uuid, dataset, epoch))
       or exists (select from msf_streams join asked using (scope_uuid, dataset, epoch))`,
    [scopeUuid, dataset, epoch],
    'msf_last_of_epoch',
  );
  const [row] = rows;
  return row === undefined ? null : (row.last as number);
}

async function listedRevisions(sql: Sql, query: RevisionsQuery): Promise<PublishedRevision[]> {
  const { scopeUuid, dataset, epoch, after, through, limit } = query;
  const { rows } = await sql.query(
    `select r.dataset, r.epoch, r.revision, r.facts, r.change_files, r.snapshot_files
     from msf_streams s join msf_revisions r on r.scope_uuid = s.scope_uuid and r.dataset = s.dataset and r.epoch = s.epoch
     where s.scope_uuid = $1 and s.dataset = $2 and s.epoch = $3
       and r.revision > $4 and r.revision <= $5 and r.revision >= s.listed_from
     order by r.revision limit $6`,
    [scopeUuid, dataset, epoch, after, through, limit],
    'msf_revisions',
  );
  return rows.map(toRevision);
}

/**
 * A revision below `deleted_below`, or of a replaced epoch, is served only if it is the first of an archive, whether its row is deleted yet
 * or not.
 */
async function keptRevision(
  sql: Sql,
  { scopeUuid, dataset }: StreamName,
  epoch: string,
  revision: number,
): Promise<KeptRevision | null> {
  const { rows } = await sql.query(
    `select r.dataset, r.epoch, r.revision, r.facts, r.change_files, r.snapshot_files, r.committed_at
     from msf_streams s join msf_revisions r on r.scope_uuid = s.scope_uuid and r.dataset = s.dataset
     where s.scope_uuid = $1 and s.dataset = $2 and r.epoch = $3 and r.revision = $4
       and (r.epoch = s.epoch and r.revision >= s.deleted_below or exists (
         select from msf_archives a
         where a.scope_uuid = $1 and a.dataset = $2 and a.epoch = $3 and a.first = $4))`,
    [scopeUuid, dataset, epoch, revision],
    'msf_revision',
  );
  const row = rows[0];
  return row === undefined ? null : { ...toRevision(row), publishedAt: row.committed_at as Micros };
}

async function archivesPage(sql: Sql, league: League, dataset: MsfDataset, page: number): Promise<ArchivesPage | null> {
  // The last archive of the previous page shows whether that page is full, and so whether this one exists.
  const before = page * archivesPerPage;
  const { rows } = await sql.query(
    `select ${archiveColumns}, a.place from msf_archives a
     where a.league = $1 and a.dataset = $2 and a.place >= $3 and a.place <= $3 + ${archivesPerPage} order by a.place`,
    [league, dataset, before],
    'msf_archives_page',
  );
  if (rows.length === 0) return null;
  const archives = rows.filter(({ place }) => place !== before).map(toArchive);
  return { archives, next: archives.length === archivesPerPage };
}

async function archiveNamed(sql: Sql, id: string, dataset: MsfDataset): Promise<StoredArchive | null> {
  const { rows } = await sql.query(
    `select ${archiveColumns}, ${documentColumns} from msf_archives a
     where a.dataset = $1 and a.id = $2`,
    [dataset, id],
    'msf_archive',
  );
  return rows[0] === undefined ? null : toStoredArchive(rows[0]);
}

async function tickingScopes(sql: Sql) {
  const { rows } = await sql.query(
    `select distinct on (s.scope_uuid) s.scope_uuid, coalesce(g.public_id, s.scope_id) as scope_id, s.league
     from msf_streams s left join games g on g.id = s.scope_uuid
     where s.ticks_from <= now() or (s.scope_id = s.scope_uuid::text and g.public_id is not null)
     order by s.scope_uuid, s.updated_at desc`,
    [],
    'msf_ticking_scopes',
  );
  return rows.map((row) => ({
    scopeUuid: row.scope_uuid as string,
    scopeId: row.scope_id as string,
    league: row.league as League,
  }));
}

function watchStreams(
  sql: Sql,
  handlers: { moved(notice: MsfNotice): void; lost(): void },
): Promise<() => Promise<void>> {
  const onNotice = (payload: string): void => {
    let trace: { traceparent?: string } = {};
    for (const notice of payload.split(',')) {
      const [scopeUuid, dataset, version] = notice.split(' ');
      if (scopeUuid === undefined || dataset === undefined) continue;
      if (scopeUuid === tracedNotice) trace = { traceparent: dataset };
      else handlers.moved({ scopeUuid, dataset: dataset as MsfDataset, version: Number(version), ...trace });
    }
  };
  return sql.listen('msf', onNotice, () => handlers.lost());
}

function toName(row: SqlRow): StreamName {
  return { scopeUuid: row.scope_uuid as string, dataset: row.dataset as MsfDataset };
}

function toRevision(row: SqlRow): PublishedRevision {
  return {
    ...(row.facts as Omit<Revision, 'dataset' | 'epoch' | 'revision'>),
    dataset: row.dataset as MsfDataset,
    epoch: row.epoch as string,
    revision: row.revision as number,
    changeFiles: row.change_files as FilePart[],
    snapshotFiles: row.snapshot_files as FilePart[],
  };
}
