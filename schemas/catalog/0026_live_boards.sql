-- The board of each sportsbook of a log is a row of its own: a commit writes those that it changes, and no other of a game with hundreds.
create table live_boards (
  game_uuid uuid not null,
  generation integer not null,
  operator text collate "C" not null,
  rows integer not null,
  -- where its file is
  key text not null,
  byte_offset integer not null,
  size integer not null,
  sha256 text not null,
  primary key (game_uuid, generation, operator)
) with (fillfactor = 70);

insert into live_boards (game_uuid, generation, operator, rows, key, byte_offset, size, sha256)
select l.game_uuid, l.generation, b.operator, b.rows, b.file ->> 'key', (b.file ->> 'offset')::integer, (b.file ->> 'size')::integer,
  b.file ->> 'sha256'
from live_logs l, jsonb_to_recordset(l.boards) as b (operator text, rows integer, file jsonb);

alter table live_logs drop column boards;
