-- Which source is believed in its bodies of MSF, by league, and when it pushed one last.
create table msf_authorities (
  league text primary key,
  source text not null,
  heard_at timestamptz not null
);
-- Sources that are refused beside it, and since when of which hour a dead letter says so.
create table msf_refused_sources (
  league text not null,
  source text not null,
  told_at timestamptz not null,
  primary key (league, source)
);
