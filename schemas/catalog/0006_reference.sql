-- Reference data beside the teams: players, venues, and by which of their own ids the sources name them. What is said of one of them it is
-- said by its founder; other sources may share its id.

create table players (
  id uuid primary key,
  league text not null,
  first_name text not null,
  last_name text not null,
  position text,
  jersey_number integer,
  -- null: a free agent
  current_team_id uuid references teams (id),
  is_active boolean not null
);
create index players_by_league on players (league, id);
create index players_by_team on players (current_team_id, id);

create table venues (
  id uuid primary key,
  league text not null,
  name text not null,
  city text,
  country text
);

create table source_ids (
  kind text not null check (kind in ('team', 'player', 'venue')),
  source text not null,
  league text not null,
  source_id text not null,
  id uuid not null,
  primary key (kind, source, league, source_id)
);
