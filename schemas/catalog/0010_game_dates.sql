-- The date of a game is the Eastern date of its scheduled start and moves with it. Only the one in its id is that of its minting for ever.
alter table games drop column game_date;
alter table games add column game_date date not null
  generated always as ((scheduled_start at time zone 'America/New_York')::date) stored;
create index games_by_date on games (game_date, (coalesce(public_id, id::text) collate "C"));
