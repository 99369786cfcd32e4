-- serves-from: 0028
-- The newest migration that the reporting process knows: null says that its release is older than this one. The log does not grow while a
-- process runs that knows no layouts (docs/operations.md#adding-partitions).
alter table health_reports add column newest_migration integer;
-- Refuses from now on the start of a release that knows no layouts. `sds log grow` calls it before it adds partitions: such a release would
-- divide keys by the number of partitions that it then finds.
create function keep_out_releases_without_layouts() returns void language sql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  update schema_migrations set serves_from = number where number = 34 and serves_from < number;
$$;
