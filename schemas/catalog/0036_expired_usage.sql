-- serves-from: 0028
-- Drops months that ended two months ago or more, the oldest first and so many rows at a time: one account's month may have millions, and
-- a statement is cancelled after some seconds. The account's row of the month goes last. Answers how many rows are gone; 0: all of them.
create or replace function expire_usage(at_a_time integer) returns bigint language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  old record;
  part text;
  more bigint;
  dropped bigint := 0;
begin
  while dropped < at_a_time loop
    select account_id, month into old from usage_months
      where month < date_trunc('month', usage_now() at time zone 'UTC')::date - interval '2 months'
      order by month, account_id limit 1 for update skip locked;
    exit when not found;
    foreach part in array array['usage_charges', 'usage_marks', 'usage_games', 'usage_months'] loop
      execute format(
        'delete from %1$I where ctid = any (array(select ctid from %1$I where account_id = $1 and month = $2 limit $3))', part
      ) using old.account_id, old.month, at_a_time - dropped;
      get diagnostics more = row_count;
      dropped := dropped + more;
      exit when dropped >= at_a_time;
    end loop;
  end loop;
  return dropped;
end $$;
