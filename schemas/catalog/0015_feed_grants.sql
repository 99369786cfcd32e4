-- What a feed key may speak of; null: of everything. A key of before keeps what it could do: `push` let it push reference data and bodies of
-- MSF too. Which scopes it has for that reason alone is noted, so that `sds feed-keys list` can warn of it.
alter table feed_keys
  add column leagues text[] check (cardinality(leagues) > 0),
  add column operators text[] check (cardinality(operators) > 0),
  add column inherited_scopes text[] not null default '{}',
  add column last_used_at timestamptz;
update feed_keys set
  inherited_scopes = array(select s from unnest(array['reference', 'msf']) s where s <> all (scopes)),
  scopes = scopes || array(select s from unnest(array['reference', 'msf']) s where s <> all (scopes))
where 'push' = any (scopes);
