-- Final artifacts: the one file that a game has of each dataset once it has settled. A row stands as it was landed.
create table artifacts (
  game_uuid uuid not null,
  dataset text not null,
  rows bigint not null check (rows >= 0),
  key text not null,
  byte_offset bigint not null,
  size bigint not null,
  sha256 text not null,
  landed_at timestamptz not null default now(),
  primary key (game_uuid, dataset)
);
