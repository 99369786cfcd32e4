-- A final file has versions: the newest is served without being asked for by number, the older ones stay. `reason` says what made it.
alter table artifacts add column version integer not null default 1 check (version >= 1);
alter table artifacts add column reason text not null default 'settled';
alter table artifacts alter column reason drop default;
alter table artifacts drop constraint artifacts_pkey;
alter table artifacts add primary key (game_uuid, dataset, version);
