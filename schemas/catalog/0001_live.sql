-- The catalog: what exists, what is served, who may ask, and how far each projector has come. All times are UTC.

create table teams (
  id uuid primary key,
  league text not null,
  abbreviation text not null,
  name text not null,
  city text,
  nickname text,
  conference text,
  division text,
  is_active boolean not null default true,
  unique (league, abbreviation)
);

-- Lower-case names by which a team is found; `is_alias` false: its name or abbreviation, which beats an alias.
create table team_names (
  league text not null,
  name text not null,
  is_alias boolean not null,
  team_id uuid not null references teams (id),
  primary key (league, name, is_alias)
);

create table games (
  id uuid primary key,
  league text not null,
  public_id text unique,
  home_name text not null,
  away_name text not null,
  home_team_id uuid references teams (id),
  away_team_id uuid references teams (id),
  founder_source text not null,
  first_start timestamptz not null,
  scheduled_start timestamptz not null,
  from_schedule boolean not null default false,
  -- Eastern date of the start at minting (of the first start while unminted); part of the id, so it never changes.
  game_date date not null,
  status text not null default 'SCHEDULED',
  -- Whether the founding `start` record is known to be in the log.
  start_logged boolean not null default false,
  created_at timestamptz not null default now()
);
create index games_by_date on games (game_date, (coalesce(public_id, id::text) collate "C"));
create index games_by_creation on games (created_at);
create index games_by_teams on games (league, home_team_id, away_team_id);
create index games_unminted on games (league) where public_id is null;

create table game_events (
  source text not null,
  event_id text not null,
  game_uuid uuid not null references games (id),
  league text not null,
  commence_time timestamptz not null,
  primary key (source, event_id)
);
create index game_events_by_game on game_events (game_uuid);

create table sources (
  source text primary key,
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  pushes bigint not null default 0
);

-- One row per projector and partition: who may commit, and from where. The fence (reliability.md 2).
create table stream_state (
  projector text not null,
  topic text not null,
  partition integer not null,
  owner_epoch bigint not null default 0,
  owner_id text not null default '',
  next_offset bigint not null default 0,
  fold_digest bytea,
  snapshot_key text,
  snapshot_offset bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (projector, topic, partition)
);

-- One row per log of a game; the newest generation is served. A commit of the live projector replaces the row's facts as one.
create table live_logs (
  game_uuid uuid not null,
  generation integer not null,
  version bigint not null,
  partition integer not null,
  first_seq integer not null,
  rows bigint not null,
  applied_through timestamptz,
  log_time timestamptz,
  updated_at timestamptz not null,
  owner_epoch bigint not null,
  -- the open segment: {seq, rows, min_timestamp, max_timestamp, file:{key, offset, size, sha256}} or null
  tail jsonb,
  -- [{operator, rows, file:{key, offset, size, sha256}}], in operator order
  boards jsonb not null,
  -- {CODE: {last_row_at, observed_through, source}}
  operators jsonb not null,
  open_offer boolean not null,
  receive_timed boolean not null,
  primary key (game_uuid, generation)
) with (fillfactor = 50);
create index live_logs_by_partition on live_logs (partition);
create index live_logs_open on live_logs (game_uuid) where open_offer;

-- Closed segments: immutable from the commit that closed them.
create table live_segments (
  game_uuid uuid not null,
  generation integer not null,
  seq integer not null,
  rows integer not null,
  min_timestamp timestamptz not null,
  max_timestamp timestamptz not null,
  key text not null,
  size integer not null,
  sha256 text not null,
  primary key (game_uuid, generation, seq)
);

-- Earlier versions of open tails, kept for readers that hold their URL.
create table live_tail_versions (
  game_uuid uuid not null,
  generation integer not null,
  seq integer not null,
  rows integer not null,
  key text not null,
  byte_offset integer not null,
  size integer not null,
  sha256 text not null,
  superseded_at timestamptz not null default now(),
  primary key (game_uuid, generation, seq, rows)
);
create index live_tail_versions_by_age on live_tail_versions (superseded_at);

-- Every object the projectors have committed, with the number of current files in it. At zero it is kept for the grace and collected.
create table objects (
  key text primary key,
  size bigint not null,
  files integer not null,
  written_at timestamptz not null default now(),
  released_at timestamptz
);
create index objects_released on objects (released_at) where files = 0;

create table receipts (
  receipt text primary key,
  source text not null,
  received_at timestamptz not null,
  accepted integer not null,
  duplicates integer not null,
  rejected jsonb not null,
  created_at timestamptz not null default now()
);
create index receipts_by_age on receipts (created_at);

-- What the folds made of a push, one row per commit that touched it.
create table receipt_folds (
  receipt text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  applied integer not null,
  duplicates integer not null,
  refused integer not null,
  records jsonb not null,
  created_at timestamptz not null default now(),
  primary key (receipt, topic, partition, next_offset)
);
create index receipt_folds_by_age on receipt_folds (created_at);

create table idempotency_keys (
  source text not null,
  key text not null,
  body_sha256 text not null,
  receipt text not null,
  -- false until the broker has the records
  logged boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (source, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table dead_letters (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  topic text not null,
  -- position of the record; null where the gateway refused
  partition integer,
  "offset" bigint,
  code text not null,
  detail text not null,
  pointer text not null default '',
  source text,
  game_uuid uuid,
  game_id text,
  receipt text,
  push_index integer,
  payload bytea not null,
  payload_sha256 text not null,
  state text not null default 'open' check (state in ('open', 'replayed', 'discarded')),
  -- whether the dead-letters topic has it
  told boolean not null default false
);
create index dead_letters_by_code on dead_letters (code, id);
create index dead_letters_untold on dead_letters (id) where not told;

-- What became visible, for caches, push and replicas; forwarded to the publications topic and then removed.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  key text not null,
  value jsonb not null,
  created_at timestamptz not null default now()
);

create table accounts (
  id uuid primary key,
  name text not null,
  tier text not null check (tier in ('DEMO', 'BETA', 'STARTER', 'PRO')),
  entitled boolean not null default true,
  monthly_rows bigint check (monthly_rows >= 0),
  created_at timestamptz not null default now()
);

create table api_keys (
  id text primary key,
  account_id uuid not null references accounts (id),
  mac bytea not null unique,
  pepper_version integer not null,
  prefix text not null,
  last4 text not null,
  state text not null default 'active' check (state in ('active', 'revoked', 'suspended', 'throttled')),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index api_keys_by_account on api_keys (account_id);

create table feed_keys (
  id text primary key,
  mac bytea not null unique,
  pepper_version integer not null,
  last4 text not null,
  -- '*' stands for every source
  sources text[] not null,
  scopes text[] not null,
  state text not null default 'active' check (state in ('active', 'revoked')),
  created_at timestamptz not null default now()
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'
);

-- Work that one process does at a time, whoever holds the name until then.
create table leases (
  name text primary key,
  holder text not null,
  held_until timestamptz not null
);
