-- What the API writes it writes by these functions alone: they run with the rights of the schema's owner, on a search path of their own.
-- Who may do what is in rights.sql, which is applied behind the migrations.
alter function charge(jsonb) security definer set search_path = pg_catalog, public, pg_temp;
alter function refund(jsonb) security definer set search_path = pg_catalog, public, pg_temp;

-- Drops the oldest months that ended two months ago or more, so many at a time; answers how many accounts' months those were.
create function expire_usage(at_a_time integer) returns bigint language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  with old as (
    select account_id, month from usage_months
    where month < date_trunc('month', usage_now() at time zone 'UTC')::date - interval '2 months'
    order by month, account_id limit at_a_time for update skip locked
  ),
  marks as (delete from usage_marks m using old where m.account_id = old.account_id and m.month = old.month),
  games as (delete from usage_games g using old where g.account_id = old.account_id and g.month = old.month),
  files as (delete from usage_charges c using old where c.account_id = old.account_id and c.month = old.month),
  months as (
    delete from usage_months u using old where u.account_id = old.account_id and u.month = old.month returning u.account_id
  )
  select count(*) from months
$$;

-- How many processes are in a group, the one that asks among them for five seconds. What it writes is named `<group> <member>`, and no lease
-- of work that one process does has such a name: the two words that begin one are refused.
create function join_group(group_name text, member uuid) returns integer language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  others integer;
  me constant text := member;
begin
  if group_name !~ '^[a-z]+$' or group_name in ('reset', 'settlement') then
    raise exception 'no group of processes: %', group_name using errcode = 'invalid_parameter_value';
  end if;
  insert into leases (name, holder, held_until) values (group_name || ' ' || me, me, now() + interval '5 seconds')
    on conflict (name) do update set held_until = excluded.held_until;
  delete from leases where starts_with(name, group_name || ' ') and held_until < now() - interval '1 minute';
  select count(*) into others from leases where starts_with(name, group_name || ' ') and holder <> me and held_until >= now();
  return 1 + others;
end $$;
