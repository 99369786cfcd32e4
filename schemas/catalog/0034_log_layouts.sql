-- serves-from: 0026
-- The layouts of the log, numbered from 0: among how many partitions of each topic keys are divided. `sds log grow` adds one, and nothing ever
-- changes one (docs/operations.md#adding-partitions).
create table log_layouts (
  layout integer not null check (layout >= 0),
  topic text not null,
  partitions integer not null check (partitions > 0),
  begun_at timestamptz not null default now(),
  primary key (layout, topic)
);
-- A game keeps the layout that was the newest when it was founded; one that an older release founds has layout 0.
alter table games add column log_layout integer not null default 0;
-- Keys that were no game's when their partition was first asked for, such as a league's: they keep layout 0, also where a game is founded
-- under one of them later.
create table log_early_keys (key uuid primary key);
-- A release that knows no layouts divides every key by the number of partitions that it finds: it must not start on a log that has grown
-- (docs/operations.md#migrations). Always: also where a backup is restored.
create function keep_older_releases_out() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  update schema_migrations set serves_from = number where number = 34 and serves_from < number;
  return null;
end $$;
create trigger keep_older_releases_out after insert on log_layouts
  for each row when (new.layout > 0) execute function keep_older_releases_out();
alter table log_layouts enable always trigger keep_older_releases_out;
