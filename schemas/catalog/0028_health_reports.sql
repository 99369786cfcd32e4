-- serves-from: 0026
-- What each writing process sees of the service's health, for the others (docs/operations.md#health). Unlogged: a report is worth ten seconds.
create unlogged table health_reports (
  instance uuid primary key,
  roles text not null,
  reasons jsonb not null,
  reported_at timestamptz not null
);
