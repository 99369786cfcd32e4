-- What each role may do in the database, applied behind the migrations by the role that owns the schema (platform/postgres/roles.ts), and
-- again wherever a role was made since. sds_migrator owns everything; sds_writer changes rows; sds_api reads what it serves and calls the
-- functions that write for it. A role that is not there is left out.
do $$
declare
  owned regclass;
  called regprocedure;
begin
  for called in
    select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and pg_has_role(p.proowner, 'usage')
  loop
    execute format('revoke execute on function %s from public', called);
    if to_regrole('sds_writer') is not null then execute format('grant execute on function %s to sds_writer', called); end if;
    if to_regrole('sds_api') is not null then execute format('revoke execute on function %s from sds_api', called); end if;
  end loop;

  for owned in
    select c.oid from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
  loop
    if to_regrole('sds_writer') is not null then
      execute format('grant select, insert, update, delete on %s to sds_writer', owned);
    end if;
    if to_regrole('sds_api') is not null then execute format('revoke all on %s from sds_api', owned); end if;
  end loop;

  if to_regrole('sds_writer') is not null then
    revoke insert, update, delete on schema_migrations from sds_writer;
    -- Who did what stays as it was written.
    revoke update, delete on audit from sds_writer;
  end if;

  if to_regrole('sds_api') is not null then
    grant select on
      accounts, api_keys, artifacts, games, live_logs, live_segments, live_tail_versions, msf_archives, msf_epochs, msf_revisions, msf_streams,
      players, schema_migrations, settlements, stream_state, team_names, teams, told_team_names, usage_charges, usage_games, usage_marks, usage_months
      to sds_api;
    grant execute on function
      charge(jsonb), refund(jsonb), expire_usage(integer), join_group(text, uuid), usage_now()
      to sds_api;
  end if;
end $$;
