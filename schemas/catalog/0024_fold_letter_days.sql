-- How many dead letters the folds have had of a source on a UTC day, kept or not: of one source a day they keep 200,000 (core/limits/feed-quotas.ts).
-- The empty source is that of records whose source has no proper name.
create table fold_letter_days (
  source text not null,
  day date not null,
  letters bigint not null,
  primary key (source, day)
);
