-- What feed keys used on a UTC day (kind `used`: requests, elements, bytes, letters, games), and what of them was refused (kind `refused`, by the
-- code of an element's refusal, or the limit that a request met). Gateways add to the sums once a second. Games are counted by the
-- transaction that founds them.
create table feed_key_days (
  feed_key_id text not null,
  day date not null,
  kind text not null check (kind in ('used', 'refused')),
  name text not null,
  amount bigint not null,
  primary key (feed_key_id, day, kind, name)
);
