-- What is folded of a push, record by record: by its index, so that a record delivered twice counts once, and by the source that says so,
-- so that nobody's record counts in another's receipt. Of receipts that are older nothing is known by index: they stay `logged`.
alter table receipts add column accepted_indexes int8multirange not null default '{}';
update receipts set accepted_indexes = int8multirange(int8range(0, accepted)) where accepted > 0;
alter table receipts alter column accepted_indexes drop default;

drop table receipt_folds;

-- What the folds made of a push, one row per commit that touched it. The three sets are indexes of records in their push.
create table receipt_folds (
  receipt text not null,
  source text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  applied int8multirange not null,
  duplicates int8multirange not null,
  refused int8multirange not null,
  records jsonb not null,
  created_at timestamptz not null default now(),
  primary key (receipt, source, topic, partition, next_offset)
);
create index receipt_folds_by_age on receipt_folds (created_at);
