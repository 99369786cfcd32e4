-- serves-from: 0026
-- Under which number the schema registry knows each schema that records of the topics are written with: a registry that has lost its data, or
-- another one, gives these numbers to others (docs/operations.md#lost-registry).
create table topic_schemas (
  subject text not null,
  schema_id integer not null,
  schema text not null,
  noted_at timestamptz not null default now(),
  primary key (subject, schema_id)
);
