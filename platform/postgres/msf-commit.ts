// The commit of the revision projector's flush, part by part: what is served of its streams, what MSF reports of games, and the notices. A
// revision or an archive that does not continue its epoch gets no number, so its table refuses it and the whole commit fails (I12).

import type { GameLineups, GameMove, MsfCommit, StreamPublication } from '../../core/ports/catalog/msf.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { foldedReceipts, keptDeadLetters, movedObjects, notifying, traces } from './commit-parts.ts';
import { type CommitPart, commitStatement } from './commit-statement.ts';
import { jsonParameter, timestampOrNull, timestampText } from './values.ts';

type MsfPart = CommitPart<MsfCommit>;

/** The current position of each stream. */
const streams: MsfPart = {
  ctes: (parameter) => `streams as (
    insert into msf_streams (scope_uuid, dataset, scope_id, league, partition, version, epoch, head, listed_from, deleted_below,
      freshness, ticks_from, owner_epoch, updated_at)
    select s.scope_uuid, s.dataset, s.scope_id, s.league, fence.partition, 1, s.epoch, s.head, s.listed_from, s.deleted_below,
      s.freshness, s.ticks_from, fence.owner_epoch, now()
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(commit.streams.map(streamColumns)))}::jsonb)
      as s (scope_uuid uuid, dataset text, scope_id text, league text, epoch text, head bigint,
      listed_from bigint, deleted_below bigint, freshness jsonb, ticks_from timestamptz), fence
    on conflict (scope_uuid, dataset) do update set
      version = msf_streams.version + 1, scope_id = excluded.scope_id, league = excluded.league, partition = excluded.partition,
      epoch = excluded.epoch, head = excluded.head, listed_from = excluded.listed_from, deleted_below = excluded.deleted_below,
      forgotten_below = case when msf_streams.epoch = excluded.epoch then msf_streams.forgotten_below else 1 end,
      freshness = excluded.freshness, ticks_from = excluded.ticks_from, owner_epoch = excluded.owner_epoch, updated_at = excluded.updated_at
    returning scope_uuid, dataset, epoch, version
  )`,
};

/** Epochs that begin or end. */
const epochs: MsfPart = {
  ctes: (parameter) => `epochs as (
    insert into msf_epochs (scope_uuid, dataset, epoch, replaced_at)
    select e.scope_uuid, e.dataset, e.epoch, case when e.replaced then now() end
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(commit.streams.flatMap(epochColumns)))}::jsonb)
      as e (scope_uuid uuid, dataset text, epoch text, replaced boolean), fence
    on conflict (scope_uuid, dataset, epoch) do update set replaced_at = excluded.replaced_at
      where msf_epochs.replaced_at is null and excluded.replaced_at is not null
  )`,
};

const revisions: MsfPart = {
  ctes: (parameter) => `cut as (
    insert into msf_revisions (scope_uuid, dataset, epoch, revision, facts, change_files, snapshot_files, committed_at)
    select r.scope_uuid, r.dataset, r.epoch,
      case when r.revision = 1 + coalesce(lag(r.revision) over of_epoch, (
        select max(k.revision) from msf_revisions k
        where k.scope_uuid = r.scope_uuid and k.dataset = r.dataset and k.epoch = r.epoch), 0) then r.revision end,
      r.facts, r.change_files, r.snapshot_files, now()
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(commit.streams.flatMap(revisionColumns)))}::jsonb)
      as r (scope_uuid uuid, dataset text, epoch text, revision bigint, facts jsonb,
      change_files jsonb, snapshot_files jsonb), fence
    window of_epoch as (partition by r.scope_uuid, r.dataset, r.epoch order by r.revision)
    returning scope_uuid, dataset, epoch, revision, facts -> 'snapshotRows' as rows
  )`,
};

/** Archives, each with its place in the listing of its league and dataset. */
const archives: MsfPart = {
  ctes(parameter) {
    const cuts = parameter((commit) => jsonParameter(commit.streams.flatMap(archiveColumns)));
    return `counts as (
    insert into msf_archive_counts (league, dataset, archives)
    select a.league, a.dataset, count(*) from jsonb_to_recordset(${cuts}::jsonb) as a (league text, dataset text), fence
    group by a.league, a.dataset order by a.league, a.dataset
    on conflict (league, dataset) do update set archives = msf_archive_counts.archives + excluded.archives
    returning league, dataset, archives, clock_timestamp() as counted_at
  ), archived as (
    insert into msf_archives (id, dataset, league, place, scope_uuid, scope_id, epoch, first, last, source_start, source_end, rows,
      bytes, document, document_sha256, baseline, changes, committed_at)
    select a.id, a.dataset, a.league, counts.archives + 1 - row_number() over (partition by a.league, a.dataset order by a.nth desc),
      a.scope_uuid, a.scope_id, a.epoch,
      case when a.first = 1 + coalesce(lag(a.last) over of_epoch, (
        select max(k.last) from msf_archives k
        where k.scope_uuid = a.scope_uuid and k.dataset = a.dataset and k.epoch = a.epoch), 0) then a.first end,
      a.last, a.source_start, a.source_end, a.rows, a.bytes, a.document, a.document_sha256, a.baseline, a.changes,
      counts.counted_at
    from rows from (jsonb_to_recordset(${cuts}::jsonb) as (id text, dataset text, league text, scope_uuid uuid, scope_id text, epoch text,
        first bigint, last bigint, source_start timestamptz, source_end timestamptz, rows bigint, bytes bigint, document text,
        document_sha256 text, baseline jsonb, changes jsonb)) with ordinality
      as a (id, dataset, league, scope_uuid, scope_id, epoch, first, last, source_start, source_end, rows, bytes, document,
        document_sha256, baseline, changes, nth)
      join counts on counts.league = a.league and counts.dataset = a.dataset
    window of_epoch as (partition by a.scope_uuid, a.dataset, a.epoch order by a.first)
  )`;
  },
};

/** The line-ups that MSF reports. */
const lineups: MsfPart = {
  ctes: (parameter) => `lined_up as (
    insert into lineups (game_uuid, home, away)
    select l.game_uuid, l.home, l.away
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(commit.lineups.map(lineupColumns)))}::jsonb)
      as l (game_uuid uuid, home text[], away text[]), fence
    on conflict (game_uuid) do update set home = excluded.home, away = excluded.away
  )`,
};

function lineupColumns({ gameUuid, home, away }: GameLineups) {
  return { game_uuid: gameUuid, home, away };
}

const moves: MsfPart = {
  ctes: (parameter) => `moved as (
    update games set status = coalesce(m.status, games.status), scheduled_start = coalesce(m.scheduled_start, games.scheduled_start),
      from_schedule = games.from_schedule or m.scheduled_start is not null
    from jsonb_to_recordset(${parameter((commit) => jsonParameter(newestMoves(commit.moves)))}::jsonb)
      as m (game_uuid uuid, status text, scheduled_start timestamptz), fence
    where games.id = m.game_uuid
    returning games.id
  ), told as (
    insert into outbox (topic, key, value, traceparent)
    select '${topics.quotes}', moved.id::text, q.value, traceparent
    from jsonb_array_elements(${parameter((commit) => jsonParameter(commit.moves.flatMap(recordsOf)))}::jsonb)
      with ordinality as q (value, nth) join moved on moved.id::text = q.value ->> 'game_uuid'
      left join traces on key = moved.id::text
    order by q.nth
  )`,
};

const publications: MsfPart = {
  ctes: () => `outgoing as (
    insert into outbox (topic, key, value, traceparent)
    select '${topics.publications}', cut.scope_uuid::text, jsonb_build_object('game_uuid', cut.scope_uuid, 'kind', 'revision',
      'generation', 0, 'version', streams.version, 'seq', null, 'rows', cut.rows, 'dataset', cut.dataset, 'epoch', cut.epoch,
      'revision', cut.revision), traceparent
    from cut join streams using (scope_uuid, dataset, epoch) left join traces on key = cut.scope_uuid::text
    order by cut.scope_uuid, cut.dataset, cut.revision
  )`,
};

/** An older release takes a trace for a stream that is not in memory. */
const notices: MsfPart = {
  ctes: () =>
    notifying(
      'msf',
      `select scope_uuid || ' ' || dataset || ' ' || version as notice, traceparent
       from streams left join traces on key = scope_uuid::text`,
    ),
  asked: 'notices',
};

/** Performs the commit, whole or not at all. @throws UnknownCommit, CatalogRefused as `commitStatement` does. */
export const commitMsf = commitStatement<MsfCommit>('commit_msf', [
  traces,
  streams,
  epochs,
  revisions,
  archives,
  movedObjects,
  moves,
  lineups,
  publications,
  notices,
  keptDeadLetters,
  foldedReceipts,
]);

function streamColumns(stream: StreamPublication) {
  const { scopeUuid, dataset, scopeId, league, epoch, head, freshness } = stream;
  return {
    scope_uuid: scopeUuid,
    dataset,
    scope_id: scopeId,
    league,
    epoch,
    head,
    freshness,
    listed_from: stream.listedFrom,
    deleted_below: stream.deletedBelow,
    ticks_from: timestampOrNull(stream.ticksFrom),
  };
}

/** Epochs that begin or end with the commit, including those that do both. */
function epochColumns(stream: StreamPublication) {
  const { scopeUuid, dataset, epoch, replaces, head, revisions, archives } = stream;
  const past = new Set([...revisions, ...archives].map((each) => each.epoch).filter((each) => each !== epoch));
  if (replaces !== null) past.add(replaces);
  const begins = past.size > 0 || head === null || revisions.some(({ revision }) => revision === 1);
  const named = [
    ...[...past].map((each) => ({ epoch: each, replaced: true })),
    ...(begins ? [{ epoch, replaced: false }] : []),
  ];
  return named.map((each) => ({ scope_uuid: scopeUuid, dataset, ...each }));
}

function revisionColumns({ scopeUuid, revisions }: StreamPublication) {
  return revisions.map(({ dataset, epoch, revision, changeFiles, snapshotFiles, ...facts }) => ({
    scope_uuid: scopeUuid,
    dataset,
    epoch,
    revision,
    facts,
    change_files: changeFiles,
    snapshot_files: snapshotFiles,
  }));
}

function archiveColumns({ archives }: StreamPublication) {
  return archives.map(({ scopeUuid, scopeId, sourceStart, sourceEnd, documentSha256, ...archive }) => ({
    ...archive,
    scope_uuid: scopeUuid,
    scope_id: scopeId,
    source_start: timestampText(sourceStart),
    source_end: timestampText(sourceEnd),
    document_sha256: documentSha256,
  }));
}

/** One entry per game: an UPDATE changes a row only once. */
function newestMoves(moves: readonly GameMove[]) {
  const games = new Map<string, { game_uuid: string; status: string | null; scheduled_start: string | null }>();
  for (const { gameUuid, status, scheduledStart } of moves) {
    const before = games.get(gameUuid);
    games.set(gameUuid, {
      game_uuid: gameUuid,
      status: status ?? before?.status ?? null,
      scheduled_start: scheduledStart === null ? (before?.scheduled_start ?? null) : timestampText(scheduledStart),
    });
  }
  return [...games.values()];
}

/** The schedule's start and the status for the fold of the game's quotes, as records of its own partition (docs/quotes.md#in-play-flag). */
function recordsOf({ gameUuid, gameId, league, status, statusAt, scheduledStart }: GameMove): QuotesRecord[] {
  const blank = blankRecord({ uuid: gameUuid, gameId, league }, 'msf', statusAt);
  return [
    ...(scheduledStart === null ? [] : [{ ...blank, start: { scheduled_start: scheduledStart, from_schedule: true } }]),
    ...(status === null ? [] : [{ ...blank, status: { status, at: statusAt } }]),
  ];
}
