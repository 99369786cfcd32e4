-- serves-from: 0026
-- The snapshots of a stream that are kept behind its newest, newest first, as [{key, offset}]: where a damaged one is fallen back from.
alter table stream_state add column older_snapshots jsonb not null default '[]';
