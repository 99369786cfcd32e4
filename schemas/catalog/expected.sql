-- The schema that the migrations make, as read back from a database. Written by tests/platform/postgres/migrate.contract.test.ts
-- with SDS_WRITE_EXPECTED=1 and compared by it; never edited by hand.

create table accounts (
  id uuid not null,
  name text not null,
  tier text not null,
  entitled boolean not null default true,
  monthly_rows bigint,
  created_at timestamp with time zone not null default now(),
  constraint accounts_monthly_rows_check CHECK ((monthly_rows >= 0)),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_tier_check CHECK ((tier = ANY (ARRAY['DEMO'::text, 'BETA'::text, 'STARTER'::text, 'PRO'::text])))
);

create table api_keys (
  id text not null,
  account_id uuid not null,
  mac bytea not null,
  pepper_version integer not null,
  prefix text not null,
  last4 text not null,
  state text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  changed_at timestamp with time zone not null default now(),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_mac_key UNIQUE (mac),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_state_check CHECK ((state = ANY (ARRAY['active'::text, 'revoked'::text, 'suspended'::text, 'throttled'::text])))
);
CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id);

create table artifacts (
  game_uuid uuid not null,
  dataset text not null,
  rows bigint not null,
  key text not null,
  byte_offset bigint not null,
  size bigint not null,
  sha256 text not null,
  landed_at timestamp with time zone not null default now(),
  version integer not null default 1,
  reason text not null,
  constraint artifacts_pkey PRIMARY KEY (game_uuid, dataset, version),
  constraint artifacts_rows_check CHECK ((rows >= 0)),
  constraint artifacts_version_check CHECK ((version >= 1))
);

create table audit (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'::jsonb,
  constraint audit_pkey PRIMARY KEY (id)
);

create table dead_letters (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  topic text not null,
  partition integer,
  "offset" bigint,
  code text not null,
  detail text not null,
  pointer text not null default ''::text,
  source text,
  game_uuid uuid,
  game_id text,
  receipt text,
  push_index integer,
  payload bytea,
  payload_sha256 text not null,
  state text not null default 'open'::text,
  told boolean not null default false,
  payload_id bigint,
  received_at timestamp with time zone,
  sent jsonb,
  constraint dead_letters_check CHECK (((payload IS NULL) <> (payload_id IS NULL))),
  constraint dead_letters_pkey PRIMARY KEY (id),
  constraint dead_letters_state_check CHECK ((state = ANY (ARRAY['open'::text, 'replayed'::text, 'discarded'::text])))
);
CREATE INDEX dead_letters_by_code ON public.dead_letters USING btree (code, id);
CREATE INDEX dead_letters_by_payload ON public.dead_letters USING btree (payload_id) WHERE (payload_id IS NOT NULL);
CREATE INDEX dead_letters_untold ON public.dead_letters USING btree (id) WHERE (NOT told);

create table dropped_letters (
  source text not null,
  code text not null,
  letters bigint not null,
  newest timestamp with time zone not null default now(),
  constraint dropped_letters_pkey PRIMARY KEY (source, code)
);

create table feed_key_days (
  feed_key_id text not null,
  day date not null,
  kind text not null,
  name text not null,
  amount bigint not null,
  constraint feed_key_days_kind_check CHECK ((kind = ANY (ARRAY['used'::text, 'refused'::text]))),
  constraint feed_key_days_pkey PRIMARY KEY (feed_key_id, day, kind, name)
);

create table feed_keys (
  id text not null,
  mac bytea not null,
  pepper_version integer not null,
  last4 text not null,
  sources text[] not null,
  scopes text[] not null,
  state text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  leagues text[],
  operators text[],
  inherited_scopes text[] not null default '{}'::text[],
  last_used_at timestamp with time zone,
  constraint feed_keys_leagues_check CHECK ((cardinality(leagues) > 0)),
  constraint feed_keys_mac_key UNIQUE (mac),
  constraint feed_keys_operators_check CHECK ((cardinality(operators) > 0)),
  constraint feed_keys_pkey PRIMARY KEY (id),
  constraint feed_keys_state_check CHECK ((state = ANY (ARRAY['active'::text, 'revoked'::text])))
);

create table fold_letter_days (
  source text not null,
  day date not null,
  letters bigint not null,
  constraint fold_letter_days_pkey PRIMARY KEY (source, day)
);

create table game_events (
  source text not null,
  event_id text not null,
  game_uuid uuid,
  league text not null,
  commence_time timestamp with time zone not null,
  lost integer not null default 0,
  constraint game_events_game_uuid_fkey FOREIGN KEY (game_uuid) REFERENCES games(id),
  constraint game_events_pkey PRIMARY KEY (source, event_id)
);
CREATE INDEX game_events_by_game ON public.game_events USING btree (game_uuid);

create table games (
  id uuid not null,
  league text not null,
  public_id text,
  home_name text not null,
  away_name text not null,
  home_team_id uuid,
  away_team_id uuid,
  founder_source text not null,
  first_start timestamp with time zone not null,
  scheduled_start timestamp with time zone not null,
  from_schedule boolean not null default false,
  status text not null default 'SCHEDULED'::text,
  start_logged boolean not null default false,
  created_at timestamp with time zone not null default now(),
  game_date date not null generated always as (((scheduled_start AT TIME ZONE 'America/New_York'::text))::date) stored,
  log_layout integer not null default 0,
  constraint games_away_team_id_fkey FOREIGN KEY (away_team_id) REFERENCES teams(id),
  constraint games_home_team_id_fkey FOREIGN KEY (home_team_id) REFERENCES teams(id),
  constraint games_pkey PRIMARY KEY (id),
  constraint games_public_id_key UNIQUE (public_id)
);
CREATE INDEX games_by_creation ON public.games USING btree (created_at);
CREATE INDEX games_by_date ON public.games USING btree (game_date, COALESCE(public_id, (id)::text) COLLATE "C");
CREATE INDEX games_by_teams ON public.games USING btree (league, home_team_id, away_team_id);
CREATE INDEX games_unminted ON public.games USING btree (league) WHERE (public_id IS NULL);

create table games_founded (
  source text not null,
  day date not null,
  games integer not null,
  constraint games_founded_pkey PRIMARY KEY (source)
);

create table health_reports (
  instance uuid not null,
  roles text not null,
  reasons jsonb not null,
  reported_at timestamp with time zone not null,
  newest_migration integer,
  constraint health_reports_pkey PRIMARY KEY (instance)
);

create table idempotency_keys (
  source text not null,
  key text not null,
  body_sha256 text not null,
  receipt text not null,
  logged boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (source, key)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

create table leases (
  name text not null,
  holder text not null,
  held_until timestamp with time zone not null,
  worked_at timestamp with time zone,
  constraint leases_pkey PRIMARY KEY (name)
);

create table letter_payloads (
  id bigint not null generated always as identity,
  sha256 text not null,
  payload bytea,
  key text,
  size bigint,
  constraint letter_payloads_check CHECK (((payload IS NULL) = ((key IS NOT NULL) AND (size IS NOT NULL)))),
  constraint letter_payloads_pkey PRIMARY KEY (id)
);
CREATE INDEX letter_payloads_held ON public.letter_payloads USING btree (key) WHERE (key IS NOT NULL);

create table lineups (
  game_uuid uuid not null,
  home text[] not null,
  away text[] not null,
  constraint lineups_pkey PRIMARY KEY (game_uuid)
);

create table live_boards (
  game_uuid uuid not null,
  generation integer not null,
  operator text not null,
  rows integer not null,
  key text not null,
  byte_offset integer not null,
  size integer not null,
  sha256 text not null,
  constraint live_boards_pkey PRIMARY KEY (game_uuid, generation, operator)
);

create table live_logs (
  game_uuid uuid not null,
  generation integer not null,
  version bigint not null,
  partition integer not null,
  first_seq integer not null,
  rows bigint not null,
  applied_through timestamp with time zone,
  log_time timestamp with time zone,
  updated_at timestamp with time zone not null,
  owner_epoch bigint not null,
  tail jsonb,
  operators jsonb not null,
  open_offer boolean not null,
  receive_timed boolean not null,
  log_version text,
  constraint live_logs_pkey PRIMARY KEY (game_uuid, generation)
);
CREATE INDEX live_logs_by_partition ON public.live_logs USING btree (partition);
CREATE INDEX live_logs_open ON public.live_logs USING btree (game_uuid) WHERE open_offer;

create table live_segments (
  game_uuid uuid not null,
  generation integer not null,
  seq integer not null,
  rows integer not null,
  min_timestamp timestamp with time zone not null,
  max_timestamp timestamp with time zone not null,
  key text not null,
  size integer not null,
  sha256 text not null,
  constraint live_segments_pkey PRIMARY KEY (game_uuid, generation, seq)
);

create table live_tail_versions (
  game_uuid uuid not null,
  generation integer not null,
  seq integer not null,
  rows integer not null,
  key text not null,
  byte_offset integer not null,
  size integer not null,
  sha256 text not null,
  superseded_at timestamp with time zone not null default now(),
  constraint live_tail_versions_pkey PRIMARY KEY (game_uuid, generation, seq, rows)
);
CREATE INDEX live_tail_versions_by_age ON public.live_tail_versions USING btree (superseded_at);

create table log_batches (
  topic_id integer not null,
  partition integer not null,
  first_offset bigint not null,
  records integer not null,
  at timestamp with time zone not null,
  bytes bytea not null,
  constraint log_batches_pkey PRIMARY KEY (topic_id, partition, first_offset),
  constraint log_batches_records_check CHECK ((records > 0))
);

create table log_claims (
  group_id integer not null,
  partition integer not null,
  member uuid,
  next_offset bigint not null default 0,
  constraint log_claims_group_id_fkey FOREIGN KEY (group_id) REFERENCES log_groups(id),
  constraint log_claims_pkey PRIMARY KEY (group_id, partition)
);

create table log_early_keys (
  key uuid not null,
  constraint log_early_keys_pkey PRIMARY KEY (key)
);

create table log_groups (
  id integer not null generated always as identity,
  topic_id integer not null,
  name text not null,
  constraint log_groups_pkey PRIMARY KEY (id),
  constraint log_groups_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES log_topics(id),
  constraint log_groups_topic_id_name_key UNIQUE (topic_id, name)
);

create table log_layouts (
  layout integer not null,
  topic text not null,
  partitions integer not null,
  begun_at timestamp with time zone not null default now(),
  constraint log_layouts_layout_check CHECK ((layout >= 0)),
  constraint log_layouts_partitions_check CHECK ((partitions > 0)),
  constraint log_layouts_pkey PRIMARY KEY (layout, topic)
);
CREATE TRIGGER keep_older_releases_out AFTER INSERT ON public.log_layouts FOR EACH ROW WHEN ((new.layout > 0)) EXECUTE FUNCTION keep_older_releases_out();

create table log_members (
  group_id integer not null,
  member uuid not null,
  expires_at timestamp with time zone not null,
  constraint log_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES log_groups(id),
  constraint log_members_pkey PRIMARY KEY (group_id, member)
);

create table log_partitions (
  topic_id integer not null,
  partition integer not null,
  first_offset bigint not null default 0,
  next_offset bigint not null default 0,
  newest_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint log_partitions_pkey PRIMARY KEY (topic_id, partition),
  constraint log_partitions_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES log_topics(id)
);

create table log_schemas (
  id integer not null generated always as identity,
  subject text not null,
  schema text not null,
  constraint log_schemas_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX log_schemas_by_text ON public.log_schemas USING btree (subject, md5(schema));

create table log_topics (
  id integer not null generated always as identity,
  name text not null,
  partitions integer not null,
  constraint log_topics_name_key UNIQUE (name),
  constraint log_topics_partitions_check CHECK ((partitions > 0)),
  constraint log_topics_pkey PRIMARY KEY (id)
);

create table msf_archive_counts (
  league text not null,
  dataset text not null,
  archives bigint not null,
  constraint msf_archive_counts_pkey PRIMARY KEY (league, dataset)
);

create table msf_archives (
  id text not null,
  dataset text not null,
  league text not null,
  place bigint not null,
  scope_uuid uuid not null,
  scope_id text not null,
  epoch text not null,
  first bigint not null,
  last bigint not null,
  source_start timestamp with time zone not null,
  source_end timestamp with time zone not null,
  rows bigint not null,
  bytes bigint not null,
  document text not null,
  document_sha256 text not null,
  baseline jsonb not null,
  changes jsonb not null,
  committed_at timestamp with time zone not null,
  constraint msf_archives_league_dataset_place_key UNIQUE (league, dataset, place),
  constraint msf_archives_pkey PRIMARY KEY (dataset, id),
  constraint msf_archives_scope_uuid_dataset_epoch_first_key UNIQUE (scope_uuid, dataset, epoch, first)
);

create table msf_authorities (
  league text not null,
  source text not null,
  heard_at timestamp with time zone not null,
  constraint msf_authorities_pkey PRIMARY KEY (league)
);

create table msf_epochs (
  scope_uuid uuid not null,
  dataset text not null,
  epoch text not null,
  begun_at timestamp with time zone not null default now(),
  replaced_at timestamp with time zone,
  forgotten boolean not null default false,
  constraint msf_epochs_pkey PRIMARY KEY (scope_uuid, dataset, epoch)
);
CREATE INDEX msf_epochs_replaced ON public.msf_epochs USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);
CREATE INDEX msf_epochs_to_forget ON public.msf_epochs USING btree (replaced_at) WHERE ((replaced_at IS NOT NULL) AND (NOT forgotten));

create table msf_refused_sources (
  league text not null,
  source text not null,
  told_at timestamp with time zone not null,
  constraint msf_refused_sources_pkey PRIMARY KEY (league, source)
);

create table msf_revisions (
  scope_uuid uuid not null,
  dataset text not null,
  epoch text not null,
  revision bigint not null,
  facts jsonb not null,
  change_files jsonb not null,
  snapshot_files jsonb not null,
  committed_at timestamp with time zone not null,
  constraint msf_revisions_pkey PRIMARY KEY (scope_uuid, dataset, epoch, revision)
);

create table msf_streams (
  scope_uuid uuid not null,
  dataset text not null,
  scope_id text not null,
  league text not null,
  partition integer not null,
  version bigint not null,
  epoch text not null,
  head bigint,
  listed_from bigint not null,
  deleted_below bigint not null,
  forgotten_below bigint not null default 1,
  freshness jsonb not null,
  ticks_from timestamp with time zone,
  owner_epoch bigint not null,
  updated_at timestamp with time zone not null,
  constraint msf_streams_pkey PRIMARY KEY (scope_uuid, dataset)
);
CREATE INDEX msf_streams_by_partition ON public.msf_streams USING btree (partition);
CREATE INDEX msf_streams_ticking ON public.msf_streams USING btree (ticks_from) WHERE (ticks_from IS NOT NULL);
CREATE INDEX msf_streams_to_forget ON public.msf_streams USING btree (scope_uuid, dataset) WHERE (forgotten_below < deleted_below);

create table objects (
  key text not null,
  size bigint not null,
  files integer not null,
  written_at timestamp with time zone not null default now(),
  released_at timestamp with time zone,
  constraint objects_pkey PRIMARY KEY (key)
);
CREATE INDEX objects_released ON public.objects USING btree (released_at) WHERE (files = 0);

create table outbox (
  id bigint not null generated always as identity,
  topic text not null,
  key text not null,
  value jsonb not null,
  created_at timestamp with time zone not null default now(),
  traceparent text,
  constraint outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_by_topic ON public.outbox USING btree (topic, id);

create table players (
  id uuid not null,
  league text not null,
  first_name text not null,
  last_name text not null,
  "position" text,
  jersey_number integer,
  current_team_id uuid,
  is_active boolean not null,
  constraint players_current_team_id_fkey FOREIGN KEY (current_team_id) REFERENCES teams(id),
  constraint players_pkey PRIMARY KEY (id)
);
CREATE INDEX players_by_league ON public.players USING btree (league, id);
CREATE INDEX players_by_team ON public.players USING btree (current_team_id, id);

create table receipt_folds (
  receipt text not null,
  source text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  applied int8multirange not null,
  duplicates int8multirange not null,
  refused int8multirange not null,
  records jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint receipt_folds_pkey PRIMARY KEY (receipt, source, topic, partition, next_offset)
);
CREATE INDEX receipt_folds_by_age ON public.receipt_folds USING btree (created_at);

create table receipts (
  receipt text not null,
  source text not null,
  received_at timestamp with time zone not null,
  accepted integer not null,
  duplicates integer not null,
  rejected jsonb not null,
  created_at timestamp with time zone not null default now(),
  accepted_indexes int8multirange not null,
  rejected_more integer not null default 0,
  constraint receipts_pkey PRIMARY KEY (receipt)
);
CREATE INDEX receipts_by_age ON public.receipts USING btree (created_at);

create table settlements (
  game_uuid uuid not null,
  partition integer not null,
  ticked boolean not null,
  closed jsonb,
  closed_at timestamp with time zone,
  manual jsonb,
  again integer not null default 0,
  removed jsonb not null default '[]'::jsonb,
  built_orders text,
  built_evidence text,
  landed_at timestamp with time zone,
  orders text not null generated always as ((((('again/'::text || (again)::text) || COALESCE((' manual/'::text || (manual ->> 'audit_id'::text)), ''::text)) || ' removed/'::text) || md5((removed)::text))) stored,
  constraint settlements_pkey PRIMARY KEY (game_uuid)
);
CREATE INDEX settlements_landed ON public.settlements USING btree (landed_at) WHERE (closed IS NOT NULL);
CREATE INDEX settlements_ordered ON public.settlements USING btree (game_uuid) WHERE ((closed IS NOT NULL) AND (built_orders IS DISTINCT FROM orders));
CREATE INDEX settlements_waiting ON public.settlements USING btree (partition) WHERE ((closed IS NULL) AND ticked);

create table source_ids (
  kind text not null,
  source text not null,
  league text not null,
  source_id text not null,
  id uuid not null,
  constraint source_ids_kind_check CHECK ((kind = ANY (ARRAY['team'::text, 'player'::text, 'venue'::text]))),
  constraint source_ids_pkey PRIMARY KEY (kind, source, league, source_id)
);
CREATE INDEX players_of_msf ON public.source_ids USING btree (id) WHERE ((kind = 'player'::text) AND (source = 'msf'::text));

create table sources (
  source text not null,
  first_seen timestamp with time zone not null default now(),
  last_seen timestamp with time zone not null default now(),
  pushes bigint not null default 0,
  rank integer not null default 0,
  constraint sources_pkey PRIMARY KEY (source),
  constraint sources_rank_check CHECK (((rank >= '-1000'::integer) AND (rank <= 1000)))
);

create table stream_state (
  projector text not null,
  topic text not null,
  partition integer not null,
  owner_epoch bigint not null default 0,
  owner_id text not null default ''::text,
  next_offset bigint not null default 0,
  fold_digest bytea,
  snapshot_key text,
  snapshot_offset bigint not null default 0,
  updated_at timestamp with time zone not null default now(),
  halted text,
  log_version text,
  older_snapshots jsonb not null default '[]'::jsonb,
  constraint stream_state_pkey PRIMARY KEY (projector, topic, partition)
);

create table team_names (
  league text not null,
  name text not null,
  is_alias boolean not null,
  team_id uuid not null,
  constraint team_names_pkey PRIMARY KEY (league, name, is_alias),
  constraint team_names_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);

create table teams (
  id uuid not null,
  league text not null,
  abbreviation text not null,
  name text not null,
  city text,
  nickname text,
  conference text,
  division text,
  is_active boolean not null default true,
  facts_source text,
  constraint teams_league_abbreviation_key UNIQUE (league, abbreviation),
  constraint teams_pkey PRIMARY KEY (id)
);

create table told_team_names (
  source text not null,
  league text not null,
  source_id text not null,
  name text not null,
  written text not null,
  team_id uuid not null,
  constraint told_team_names_pkey PRIMARY KEY (source, league, source_id, name),
  constraint told_team_names_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX told_team_names_by_name ON public.told_team_names USING btree (league, name, source);

create table topic_schemas (
  subject text not null,
  schema_id integer not null,
  schema text not null,
  noted_at timestamp with time zone not null default now(),
  constraint topic_schemas_pkey PRIMARY KEY (subject, schema_id)
);

create table usage_charges (
  charge_id uuid not null,
  account_id uuid not null,
  month date not null,
  kind text not null,
  game_uuid uuid,
  game_id text not null,
  dataset text not null,
  subject text not null,
  rows bigint not null,
  key_id text not null,
  at timestamp with time zone not null default now(),
  constraint usage_charges_kind_check CHECK ((kind = ANY (ARRAY['file'::text, 'board'::text, 'msf'::text]))),
  constraint usage_charges_pkey PRIMARY KEY (charge_id),
  constraint usage_charges_rows_check CHECK ((rows >= 0))
);
CREATE INDEX usage_charges_by_month ON public.usage_charges USING btree (account_id, month);

create table usage_games (
  account_id uuid not null,
  month date not null,
  game_uuid uuid not null,
  first_seq bigint not null,
  game_id text not null,
  read_rows bigint not null,
  reads bigint not null default 1,
  constraint usage_games_pkey PRIMARY KEY (account_id, month, game_uuid, first_seq)
);

create table usage_marks (
  account_id uuid not null,
  month date not null,
  game_uuid uuid not null,
  seq bigint not null,
  first_seq bigint not null,
  rows bigint not null,
  constraint usage_marks_pkey PRIMARY KEY (account_id, month, game_uuid, seq)
);

create table usage_months (
  account_id uuid not null,
  month date not null,
  used_rows bigint not null default 0,
  constraint usage_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint usage_months_pkey PRIMARY KEY (account_id, month),
  constraint usage_months_used_rows_check CHECK ((used_rows >= 0))
);
CREATE INDEX usage_months_by_month ON public.usage_months USING btree (month);

create table venues (
  id uuid not null,
  league text not null,
  name text not null,
  city text,
  country text,
  constraint venues_pkey PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION public.charge(charges jsonb)
 RETURNS TABLE(place bigint, debited bigint, used_rows bigint, monthly_rows bigint, month text, resets text, ends_in bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  asked_at constant timestamptz := usage_now();
  present constant date := date_trunc('month', asked_at at time zone 'UTC');
  following constant date := present + interval '1 month';
  oldest constant date := present - interval '2 months';
  wanted record;
  account uuid;
  account_month date;
  used_before bigint;
  room bigint;
begin
  month := to_char(present, 'YYYY-MM');
  resets := to_char(following, 'YYYY-MM-DD');
  ends_in := extract(epoch from following::timestamp at time zone 'UTC' - asked_at) * 1000000;
  for wanted in
    select c.*, case when c.served then least(present, greatest(oldest, coalesce(c.served_in, present))) else present end as in_month
    from rows from (jsonb_to_recordset(charges) as (
      charge_id uuid, account_id uuid, key_id text, served boolean, served_in date, kind text, game_uuid uuid, game_id text,
      dataset text, subject text, first_seq bigint, seq bigint, rows bigint
    )) with ordinality as c (
      charge_id, account_id, key_id, served, served_in, kind, game_uuid, game_id, dataset, subject, first_seq, seq, rows, nth
    )
    order by c.account_id, in_month, c.nth
  loop
    if account is distinct from wanted.account_id or account_month is distinct from wanted.in_month then
      if used_rows > used_before then
        update usage_months m set used_rows = charge.used_rows where m.account_id = account and m.month = account_month;
      end if;
      account := wanted.account_id;
      account_month := wanted.in_month;
      loop
        select m.used_rows into used_rows from usage_months m
          where m.account_id = account and m.month = account_month for update;
        exit when found;
        insert into usage_months (account_id, month) values (account, account_month) on conflict do nothing;
      end loop;
      used_before := used_rows;
      select a.monthly_rows into monthly_rows from accounts a where a.id = account;
    end if;

    place := wanted.nth;
    room := case when wanted.served then null else monthly_rows - used_rows end;
    if wanted.kind = 'live' then
      debited := charge_live(
        account, account_month, wanted.game_uuid, wanted.game_id, wanted.first_seq, wanted.seq, wanted.rows, room
      );
    elsif exists (select from usage_charges c where c.charge_id = wanted.charge_id) then
      debited := 0;
    elsif wanted.rows > 0 and wanted.rows > room then
      debited := null;
    else
      insert into usage_charges (charge_id, account_id, month, kind, game_uuid, game_id, dataset, subject, rows, key_id)
        values (wanted.charge_id, account, account_month, wanted.kind, wanted.game_uuid, wanted.game_id, wanted.dataset,
          wanted.subject, wanted.rows, wanted.key_id)
        on conflict (charge_id) do nothing;
      debited := case when found then wanted.rows else 0 end;
    end if;
    used_rows := used_rows + coalesce(debited, 0);
    return next;
  end loop;
  if used_rows > used_before then
    update usage_months m set used_rows = charge.used_rows where m.account_id = account and m.month = account_month;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.charge_live(account uuid, in_month date, game uuid, public_id text, log_seq bigint, segment_seq bigint, read bigint, room bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  mark bigint;
  read_of_log bigint;
  paid_of_game bigint;
  debit bigint;
begin
  select m.rows into mark from usage_marks m
    where m.account_id = account and m.month = in_month and m.game_uuid = game and m.seq = segment_seq;
  mark := coalesce(mark, 0);
  if read <= mark then return 0; end if;
  select coalesce(max(g.read_rows) filter (where g.first_seq = log_seq), 0) + read - mark, coalesce(max(g.read_rows), 0)
    into read_of_log, paid_of_game from usage_games g
    where g.account_id = account and g.month = in_month and g.game_uuid = game;
  debit := greatest(0, read_of_log - paid_of_game);
  if debit > 0 and debit > room then return null; end if;
  insert into usage_marks as m (account_id, month, game_uuid, seq, first_seq, rows)
    values (account, in_month, game, segment_seq, log_seq, read)
    on conflict (account_id, month, game_uuid, seq) do update set rows = excluded.rows;
  insert into usage_games as g (account_id, month, game_uuid, first_seq, game_id, read_rows)
    values (account, in_month, game, log_seq, public_id, read_of_log)
    on conflict (account_id, month, game_uuid, first_seq)
    do update set read_rows = excluded.read_rows, game_id = excluded.game_id, reads = g.reads + 1;
  return debit;
end $function$;

CREATE OR REPLACE FUNCTION public.expire_usage(at_a_time integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  old record;
  part text;
  more bigint;
  dropped bigint := 0;
begin
  while dropped < at_a_time loop
    select account_id, month into old from usage_months
      where month < date_trunc('month', usage_now() at time zone 'UTC')::date - interval '2 months'
      order by month, account_id limit 1 for update skip locked;
    exit when not found;
    foreach part in array array['usage_charges', 'usage_marks', 'usage_games', 'usage_months'] loop
      execute format(
        'delete from %1$I where ctid = any (array(select ctid from %1$I where account_id = $1 and month = $2 limit $3))', part
      ) using old.account_id, old.month, at_a_time - dropped;
      get diagnostics more = row_count;
      dropped := dropped + more;
      exit when dropped >= at_a_time;
    end loop;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.join_group(group_name text, member uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  others integer;
  me constant text := member;
begin
  if group_name !~ '^[a-z]+$' or group_name in ('reset', 'settlement') then
    raise exception 'no group of processes: %', group_name using errcode = 'invalid_parameter_value';
  end if;
  insert into leases (name, holder, held_until) values (group_name || ' ' || me, me, now() + interval '5 seconds')
    on conflict (name) do update set held_until = excluded.held_until;
  delete from leases where starts_with(name, group_name || ' ') and held_until < now() - interval '1 minute';
  select count(*) into others from leases where starts_with(name, group_name || ' ') and holder <> me and held_until >= now();
  return 1 + others;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_older_releases_out()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update schema_migrations set serves_from = number where number = 34 and serves_from < number;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_out_releases_without_layouts()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update schema_migrations set serves_from = number where number = 34 and serves_from < number;
$function$;

CREATE OR REPLACE FUNCTION public.refund(charges jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  wanted record;
  charged_in date;
  debited bigint;
begin
  for wanted in
    select * from jsonb_to_recordset(charges) as (
      charge_id uuid, account_id uuid, key_id text, kind text, game_uuid uuid, game_id text, dataset text, subject text
    ) order by account_id, charge_id
  loop
    loop
      select c.month into charged_in from usage_charges c where c.charge_id = wanted.charge_id;
      charged_in := coalesce(charged_in, date_trunc('month', usage_now() at time zone 'UTC'));
      insert into usage_months (account_id, month) values (wanted.account_id, charged_in) on conflict do nothing;
      perform from usage_months m where m.account_id = wanted.account_id and m.month = charged_in for update;
      select c.rows into debited from usage_charges c where c.charge_id = wanted.charge_id and c.month = charged_in;
      if found then
        update usage_charges c set rows = 0 where c.charge_id = wanted.charge_id;
        update usage_months m set used_rows = m.used_rows - debited
          where m.account_id = wanted.account_id and m.month = charged_in and debited > 0;
        exit;
      end if;
      insert into usage_charges (charge_id, account_id, month, kind, game_uuid, game_id, dataset, subject, rows, key_id)
        values (wanted.charge_id, wanted.account_id, charged_in, wanted.kind, wanted.game_uuid, wanted.game_id, wanted.dataset,
          wanted.subject, 0, wanted.key_id)
        on conflict (charge_id) do nothing;
      -- It was charged meanwhile, in another month: once more.
      exit when found;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.settlement_evidence(game uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws(' ',
    (select string_agg(m.dataset || '/' || m.epoch || '/' || m.head, ' ' order by m.dataset)
     from msf_streams m where m.scope_uuid = game and m.dataset in ('game-state', 'player-stats') and m.head is not null),
    (select 'line-up/' || md5(l.home::text || l.away::text) from lineups l where l.game_uuid = game))
$function$;

CREATE OR REPLACE FUNCTION public.usage_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$select clock_timestamp()$function$;

grant delete, insert, select, update on accounts to sds_admin;
grant insert, select on accounts to sds_writer;
grant select on accounts to sds_api;
grant delete, insert, select, update on api_keys to sds_admin;
grant delete, insert, select, update on api_keys to sds_writer;
grant select on api_keys to sds_api;
grant delete, insert, select, update on artifacts to sds_admin;
grant delete, insert, select, update on artifacts to sds_writer;
grant select on artifacts to sds_api;
grant insert, select on audit to sds_admin;
grant insert, select on audit to sds_writer;
grant select on audit_id_seq to sds_admin;
grant delete, insert, select, update on dead_letters to sds_admin;
grant delete, insert, select, update on dead_letters to sds_writer;
grant select on dead_letters_id_seq to sds_admin;
grant delete, insert, select, update on dropped_letters to sds_admin;
grant delete, insert, select, update on dropped_letters to sds_writer;
grant delete, insert, select, update on feed_key_days to sds_admin;
grant delete, insert, select, update on feed_key_days to sds_writer;
grant delete, insert, select, update on feed_keys to sds_admin;
grant delete, insert, select, update on feed_keys to sds_writer;
grant delete, insert, select, update on fold_letter_days to sds_admin;
grant delete, insert, select, update on fold_letter_days to sds_writer;
grant delete, insert, select, update on game_events to sds_admin;
grant delete, insert, select, update on game_events to sds_writer;
grant delete, insert, select, update on games to sds_admin;
grant delete, insert, select, update on games to sds_writer;
grant select on games to sds_api;
grant delete, insert, select, update on games_founded to sds_admin;
grant delete, insert, select, update on games_founded to sds_writer;
grant delete, insert, select, update on health_reports to sds_admin;
grant delete, insert, select, update on health_reports to sds_writer;
grant select on health_reports to sds_api;
grant delete, insert, select, update on idempotency_keys to sds_admin;
grant delete, insert, select, update on idempotency_keys to sds_writer;
grant delete, insert, select, update on leases to sds_admin;
grant delete, insert, select, update on leases to sds_writer;
grant select on leases to sds_api;
grant delete, insert, select, update on letter_payloads to sds_admin;
grant delete, insert, select, update on letter_payloads to sds_writer;
grant select on letter_payloads_id_seq to sds_admin;
grant delete, insert, select, update on lineups to sds_admin;
grant delete, insert, select, update on lineups to sds_writer;
grant delete, insert, select, update on live_boards to sds_admin;
grant delete, insert, select, update on live_boards to sds_writer;
grant select on live_boards to sds_api;
grant delete, insert, select, update on live_logs to sds_admin;
grant delete, insert, select, update on live_logs to sds_writer;
grant select on live_logs to sds_api;
grant delete, insert, select, update on live_segments to sds_admin;
grant delete, insert, select, update on live_segments to sds_writer;
grant select on live_segments to sds_api;
grant delete, insert, select, update on live_tail_versions to sds_admin;
grant delete, insert, select, update on live_tail_versions to sds_writer;
grant select on live_tail_versions to sds_api;
grant delete, insert, select, update on log_batches to sds_admin;
grant delete, insert, select, update on log_batches to sds_writer;
grant delete, insert, select, update on log_claims to sds_admin;
grant delete, insert, select, update on log_claims to sds_writer;
grant delete, insert, select, update on log_early_keys to sds_admin;
grant delete, insert, select, update on log_early_keys to sds_writer;
grant delete, insert, select, update on log_groups to sds_admin;
grant delete, insert, select, update on log_groups to sds_writer;
grant select on log_groups_id_seq to sds_admin;
grant delete, insert, select, update on log_layouts to sds_admin;
grant delete, insert, select, update on log_layouts to sds_writer;
grant delete, insert, select, update on log_members to sds_admin;
grant delete, insert, select, update on log_members to sds_writer;
grant delete, insert, select, update on log_partitions to sds_admin;
grant delete, insert, select, update on log_partitions to sds_writer;
grant delete, insert, select, update on log_schemas to sds_admin;
grant delete, insert, select, update on log_schemas to sds_writer;
grant select on log_schemas_id_seq to sds_admin;
grant delete, insert, select, update on log_topics to sds_admin;
grant delete, insert, select, update on log_topics to sds_writer;
grant select on log_topics_id_seq to sds_admin;
grant delete, insert, select, update on msf_archive_counts to sds_admin;
grant delete, insert, select, update on msf_archive_counts to sds_writer;
grant delete, insert, select, update on msf_archives to sds_admin;
grant delete, insert, select, update on msf_archives to sds_writer;
grant select on msf_archives to sds_api;
grant delete, insert, select, update on msf_authorities to sds_admin;
grant delete, insert, select, update on msf_authorities to sds_writer;
grant delete, insert, select, update on msf_epochs to sds_admin;
grant delete, insert, select, update on msf_epochs to sds_writer;
grant select on msf_epochs to sds_api;
grant delete, insert, select, update on msf_refused_sources to sds_admin;
grant delete, insert, select, update on msf_refused_sources to sds_writer;
grant delete, insert, select, update on msf_revisions to sds_admin;
grant delete, insert, select, update on msf_revisions to sds_writer;
grant select on msf_revisions to sds_api;
grant delete, insert, select, update on msf_streams to sds_admin;
grant delete, insert, select, update on msf_streams to sds_writer;
grant select on msf_streams to sds_api;
grant delete, insert, select, update on objects to sds_admin;
grant delete, insert, select, update on objects to sds_writer;
grant delete, insert, select, update on outbox to sds_admin;
grant delete, insert, select, update on outbox to sds_writer;
grant select on outbox_id_seq to sds_admin;
grant delete, insert, select, update on players to sds_admin;
grant delete, insert, select, update on players to sds_writer;
grant select on players to sds_api;
grant delete, insert, select, update on receipt_folds to sds_admin;
grant delete, insert, select, update on receipt_folds to sds_writer;
grant delete, insert, select, update on receipts to sds_admin;
grant delete, insert, select, update on receipts to sds_writer;
grant select on schema_migrations to sds_admin;
grant select on schema_migrations to sds_api;
grant select on schema_migrations to sds_writer;
grant delete, insert, select, update on settlements to sds_admin;
grant delete, insert, select, update on settlements to sds_writer;
grant select on settlements to sds_api;
grant delete, insert, select, update on source_ids to sds_admin;
grant delete, insert, select, update on source_ids to sds_writer;
grant delete, insert, select, update on sources to sds_admin;
grant delete, insert, select, update on sources to sds_writer;
grant delete, insert, select, update on stream_state to sds_admin;
grant delete, insert, select, update on stream_state to sds_writer;
grant select on stream_state to sds_api;
grant delete, insert, select, update on team_names to sds_admin;
grant delete, insert, select, update on team_names to sds_writer;
grant select on team_names to sds_api;
grant delete, insert, select, update on teams to sds_admin;
grant delete, insert, select, update on teams to sds_writer;
grant select on teams to sds_api;
grant delete, insert, select, update on told_team_names to sds_admin;
grant delete, insert, select, update on told_team_names to sds_writer;
grant select on told_team_names to sds_api;
grant delete, insert, select, update on topic_schemas to sds_admin;
grant delete, insert, select, update on topic_schemas to sds_writer;
grant delete, insert, select, update on usage_charges to sds_admin;
grant delete, insert, select, update on usage_charges to sds_writer;
grant select on usage_charges to sds_api;
grant delete, insert, select, update on usage_games to sds_admin;
grant delete, insert, select, update on usage_games to sds_writer;
grant select on usage_games to sds_api;
grant delete, insert, select, update on usage_marks to sds_admin;
grant delete, insert, select, update on usage_marks to sds_writer;
grant select on usage_marks to sds_api;
grant delete, insert, select, update on usage_months to sds_admin;
grant delete, insert, select, update on usage_months to sds_writer;
grant select on usage_months to sds_api;
grant delete, insert, select, update on venues to sds_admin;
grant delete, insert, select, update on venues to sds_writer;
grant execute on function charge(jsonb) to sds_admin;
grant execute on function charge(jsonb) to sds_api;
grant execute on function charge(jsonb) to sds_writer;
grant execute on function charge_live(uuid,date,uuid,text,bigint,bigint,bigint,bigint) to sds_admin;
grant execute on function charge_live(uuid,date,uuid,text,bigint,bigint,bigint,bigint) to sds_writer;
grant execute on function expire_usage(integer) to sds_admin;
grant execute on function expire_usage(integer) to sds_api;
grant execute on function expire_usage(integer) to sds_writer;
grant execute on function join_group(text,uuid) to sds_admin;
grant execute on function join_group(text,uuid) to sds_api;
grant execute on function join_group(text,uuid) to sds_writer;
grant execute on function keep_older_releases_out() to sds_admin;
grant execute on function keep_older_releases_out() to sds_writer;
grant execute on function keep_out_releases_without_layouts() to sds_admin;
grant execute on function keep_out_releases_without_layouts() to sds_writer;
grant execute on function refund(jsonb) to sds_admin;
grant execute on function refund(jsonb) to sds_api;
grant execute on function refund(jsonb) to sds_writer;
grant execute on function settlement_evidence(uuid) to sds_admin;
grant execute on function settlement_evidence(uuid) to sds_writer;
grant execute on function usage_now() to sds_admin;
grant execute on function usage_now() to sds_api;
grant execute on function usage_now() to sds_writer;
