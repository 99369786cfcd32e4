-- What a source calls a team holds for that source alone, until the administrator confirms it: names that all sources share are in team_names.
create table told_team_names (
  source text not null,
  league text not null,
  -- by which the source knows the team
  source_id text not null,
  -- lower case, by which it is found
  name text not null,
  written text not null,
  team_id uuid not null references teams (id),
  primary key (source, league, source_id, name)
);
create index told_team_names_by_name on told_team_names (league, name, source);

-- What was told so far was kept for all. A name belongs to the sources that have named its team, unless an administrator gave it; the names of
-- the reference table come back at the next start.
insert into told_team_names (source, league, source_id, name, written, team_id)
select i.source, i.league, i.source_id, n.name, n.name, n.team_id
from team_names n
join teams t on t.id = n.team_id
join source_ids i on i.kind = 'team' and i.league = n.league and i.id = n.team_id
where not (n.is_alias and exists (
  select from audit a
  where a.action = 'teams alias' and a.subject = t.league || ' ' || t.abbreviation and lower(a.detail ->> 'name') = lower(n.name)));
delete from team_names n using told_team_names o
where n.is_alias and (o.league, o.name, o.team_id) = (n.league, n.name, n.team_id);

-- Who said last what is known of a team that the reference table does not have.
alter table teams add column facts_source text;

-- An event that the administrator has taken from its game is bound to none: `lost` counts the games of its own founding among them.
alter table game_events alter column game_uuid drop not null;
alter table game_events add column lost integer not null default 0;

-- How many games a source has founded on the newest UTC day on which it founded one.
create table games_founded (
  source text primary key,
  day date not null,
  games integer not null
);
