-- Payloads that several dead letters share: an element that loses thousands of quotes is kept once, not once a quote. PostgreSQL compresses them.
create table letter_payloads (
  id bigint generated always as identity primary key,
  sha256 text not null,
  payload bytea not null
);
-- A letter has a payload of its own, or shares this one.
alter table dead_letters alter column payload drop not null;
alter table dead_letters add column payload_id bigint;
alter table dead_letters add check ((payload is null) <> (payload_id is null));
-- Refusals of a push beyond those that its receipt lists.
alter table receipts add column rejected_more integer not null default 0;
