-- MSF streams: datasets of games and of leagues whose every change is a revision, and the archives that hold the revisions for ever. Files are
-- written as [{rows, file:{key, offset, size, sha256}}], times within jsonb as microseconds.

-- One row per stream: what is served of it now. A commit of the revision projector replaces the row's facts as one.
create table msf_streams (
  -- a game's, or the league's own
  scope_uuid uuid not null,
  dataset text not null,
  -- public id of the game, or code of the league
  scope_id text not null,
  league text not null,
  partition integer not null,
  version bigint not null,
  epoch text not null,
  -- newest revision of the epoch; null while there is none
  head bigint,
  -- revisions below are listed no longer, those below the other are kept only as the first of an archive
  listed_from bigint not null,
  deleted_below bigint not null,
  -- everything below this has been given up already
  forgotten_below bigint not null default 1,
  freshness jsonb not null,
  -- from when on time has something to do in it; null: nothing waits
  ticks_from timestamptz,
  owner_epoch bigint not null,
  updated_at timestamptz not null,
  primary key (scope_uuid, dataset)
) with (fillfactor = 50);
create index msf_streams_by_partition on msf_streams (partition);
create index msf_streams_ticking on msf_streams (ticks_from) where ticks_from is not null;
create index msf_streams_to_forget on msf_streams (scope_uuid, dataset) where forgotten_below < deleted_below;

-- The epochs that a stream has had, the current one included.
create table msf_epochs (
  scope_uuid uuid not null,
  dataset text not null,
  epoch text not null,
  begun_at timestamptz not null default now(),
  -- null while it is current
  replaced_at timestamptz,
  -- whether what no archive holds of it has been given up
  forgotten boolean not null default false,
  primary key (scope_uuid, dataset, epoch)
);
create index msf_epochs_to_forget on msf_epochs (replaced_at) where replaced_at is not null and not forgotten;

-- Immutable from the commit that brought them.
create table msf_revisions (
  scope_uuid uuid not null,
  dataset text not null,
  epoch text not null,
  -- 1, 2, 3 … within the epoch
  revision bigint not null,
  -- core/msf/types.ts, Revision, without the members above
  facts jsonb not null,
  change_files jsonb not null,
  snapshot_files jsonb not null,
  committed_at timestamptz not null,
  primary key (scope_uuid, dataset, epoch, revision)
);

-- Archives of each catalog: its row is locked by whoever adds to it, so that places are in commit order.
create table msf_archive_counts (
  league text not null,
  dataset text not null,
  archives bigint not null,
  primary key (league, dataset)
);

-- Published once and kept for ever: neither a row nor an object that it names is ever given up.
create table msf_archives (
  id text not null,
  dataset text not null,
  league text not null,
  -- in the league's catalog of the dataset, from 1 on
  place bigint not null,
  scope_uuid uuid not null,
  scope_id text not null,
  epoch text not null,
  first bigint not null,
  last bigint not null,
  source_start timestamptz not null,
  source_end timestamptz not null,
  rows bigint not null,
  bytes bigint not null,
  -- JSON text as it is served, and the SHA-256 that it had when it was committed
  document text not null,
  document_sha256 text not null,
  baseline jsonb not null,
  -- [{revision, files}], ascending
  changes jsonb not null,
  committed_at timestamptz not null,
  primary key (dataset, id),
  unique (league, dataset, place),
  unique (scope_uuid, dataset, epoch, first)
);

-- The forwarder reads each kind apart.
create index outbox_by_topic on outbox (topic, id);
