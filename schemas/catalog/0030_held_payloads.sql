-- serves-from: 0026
-- A payload that is too large for a row is an object of the store, put before its letters were: `key` names it, `size` is that of the payload.
alter table letter_payloads alter column payload drop not null;
alter table letter_payloads add column key text;
alter table letter_payloads add column size bigint;
alter table letter_payloads add check ((payload is null) = (key is not null and size is not null));
create index letter_payloads_held on letter_payloads (key) where key is not null;
create index dead_letters_by_payload on dead_letters (payload_id) where payload_id is not null;
-- How many dead letters were removed because of their age or of their bytes, by source ('' without a proper name) and code.
create table dropped_letters (
  source text not null,
  code text not null,
  letters bigint not null,
  newest timestamptz not null default now(),
  primary key (source, code)
);
-- When the gateway received a refused element, or the broker stamped a refused record, and how the push of the element was sent: what replays it.
alter table dead_letters add column received_at timestamptz;
alter table dead_letters add column sent jsonb;
