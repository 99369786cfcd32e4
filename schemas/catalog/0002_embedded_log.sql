-- The log of the embedded edition (the distributed one has Kafka): topics of partitions of batches, and the groups that read them.

create table log_schemas (
  id integer generated always as identity primary key,
  subject text not null,
  schema text not null
);
create unique index log_schemas_by_text on log_schemas (subject, md5(schema));

create table log_topics (
  id integer generated always as identity primary key,
  name text not null unique,
  partitions integer not null check (partitions > 0)
);

create table log_partitions (
  topic_id integer not null references log_topics (id),
  partition integer not null,
  -- offsets held: [first_offset, next_offset)
  first_offset bigint not null default 0,
  next_offset bigint not null default 0,
  newest_at timestamptz not null default '-infinity',
  primary key (topic_id, partition)
) with (fillfactor = 50);

-- Records as they were appended together, offsets first_offset … first_offset + records - 1; `bytes` is platform/embedded-log's own frame.
create table log_batches (
  topic_id integer not null,
  partition integer not null,
  first_offset bigint not null,
  records integer not null check (records > 0),
  at timestamptz not null,
  bytes bytea not null,
  primary key (topic_id, partition, first_offset)
);
alter table log_batches alter column bytes set storage external;

create table log_groups (
  id integer generated always as identity primary key,
  topic_id integer not null references log_topics (id),
  name text not null,
  unique (topic_id, name)
);

create table log_members (
  group_id integer not null references log_groups (id),
  member uuid not null,
  expires_at timestamptz not null,
  primary key (group_id, member)
);

-- Who reads which partition; `next_offset` is the group's own hint of how far it is.
create table log_claims (
  group_id integer not null references log_groups (id),
  partition integer not null,
  member uuid,
  next_offset bigint not null default 0,
  primary key (group_id, partition)
);
