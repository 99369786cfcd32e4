-- What each role may do in the database, applied behind the migrations by the role that owns the schema (platform/postgres/roles.ts), and
-- again wherever a role was made since. sds_migrator owns everything; sds_writer changes rows; sds_admin, the role of commands, also what an
-- account has bought; sds_api reads what it serves and calls the functions that write for it. A role that is not there is left out.
do $$
declare
  owned regclass;
  called regprocedure;
  changer name;
begin
  for called in
    select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and pg_has_role(p.proowner, 'usage')
  loop
    execute format('revoke execute on function %s from public', called);
    for changer in select rolname from pg_roles where rolname in ('sds_writer', 'sds_admin') loop
      execute format('grant execute on function %s to %I', called, changer);
    end loop;
    if to_regrole('sds_api') is not null then execute format('revoke execute on function %s from sds_api', called); end if;
  end loop;

  for owned in
    select c.oid from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
  loop
    for changer in select rolname from pg_roles where rolname in ('sds_writer', 'sds_admin') loop
      execute format('grant select, insert, update, delete on %s to %I', owned, changer);
    end loop;
    if to_regrole('sds_api') is not null then execute format('revoke all on %s from sds_api', owned); end if;
  end loop;

  for changer in select rolname from pg_roles where rolname in ('sds_writer', 'sds_admin') loop
    execute format('revoke insert, update, delete on schema_migrations from %I', changer);
    -- Who did what stays as it was written.
    execute format('revoke update, delete on audit from %I', changer);
  end loop;

  if to_regrole('sds_admin') is not null then
    -- A backup has to say where the numbers of rows go on.
    for owned in
      select c.oid from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and pg_has_role(c.relowner, 'usage')
    loop
      execute format('grant select on sequence %s to sds_admin', owned);
    end loop;
  end if;

  if to_regrole('sds_writer') is not null then
    -- A start makes accounts of its own, and locks one to mint a key; tiers, entitlements and quotas change by a command.
    revoke update, delete on accounts from sds_writer;
    grant update (name) on accounts to sds_writer;
  end if;

  if to_regrole('sds_api') is not null then
    grant select on
      accounts, api_keys, artifacts, games, health_reports, leases, live_boards, live_logs, live_segments, live_tail_versions, msf_archives, msf_epochs, msf_revisions,
      msf_streams, players, schema_migrations, settlements, stream_state, team_names, teams, told_team_names, usage_charges, usage_games, usage_marks, usage_months
      to sds_api;
    grant execute on function
      charge(jsonb), refund(jsonb), expire_usage(integer), join_group(text, uuid), usage_now()
      to sds_api;
  end if;
end $$;
