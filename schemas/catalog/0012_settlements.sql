-- Games on their way to their final files. A row begins when a game is over, or when the administrator gives it an order; it is closed by
-- the commit of the record that closes the game's log, and settled from then on.
create table settlements (
  game_uuid uuid primary key,
  -- of the quotes
  partition integer not null,
  -- whether the ticker's ticks speak to the game while it waits for its close
  ticked boolean not null,
  -- core/settlement/closed-game.ts; null: the game waits, or goes on
  closed jsonb,
  closed_at timestamptz,
  -- {audit_id, at, away, home, away_periods, home_periods}: a score that stands before every other; null: none
  manual jsonb,
  -- how often the final files were to be made anew
  again integer not null default 0,
  -- [[first, last]]: row numbers that the final files leave out
  removed jsonb not null default '[]',
  -- the orders and the evidence that the newest landing was built from; null: nothing has been built
  built_orders text,
  built_evidence text,
  -- when the first file landed; corrections are followed for 30 days from then on
  landed_at timestamptz
);
create index settlements_waiting on settlements (partition) where closed is null and ticked;
create index settlements_landed on settlements (landed_at) where closed is not null;

-- Who begins a game, as its newest applied line-up says: canonical player ids.
create table lineups (
  game_uuid uuid primary key,
  home text[] not null,
  away text[] not null
);

-- What the administrator has ordered of a game, and the evidence there is of it, each as a text that differs whenever it does.
create function settlement_orders(s settlements) returns text language sql stable as $$
  select concat_ws(' ', 'again/' || s.again, 'manual/' || (s.manual ->> 'audit_id'), 'removed/' || md5(s.removed::text))
$$;

create function settlement_evidence(game uuid) returns text language sql stable as $$
  select concat_ws(' ',
    (select string_agg(m.dataset || '/' || m.epoch || '/' || m.head, ' ' order by m.dataset)
     from msf_streams m where m.scope_uuid = game and m.dataset in ('game-state', 'player-stats') and m.head is not null),
    (select 'line-up/' || md5(l.home::text || l.away::text) from lineups l where l.game_uuid = game))
$$;
