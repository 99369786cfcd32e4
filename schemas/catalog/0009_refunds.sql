-- Takes back charges of whole files whose answers never came and whose reads were refused: what they debited is given back, and one that
-- arrives only now finds itself charged nothing. Can be called again. Accounts are locked in one order, as `charge` does.
create function refund(charges jsonb) returns void language plpgsql as $$
declare
  wanted record;
  charged_in date;
  debited bigint;
begin
  for wanted in
    select * from jsonb_to_recordset(charges) as (
      charge_id uuid, account_id uuid, key_id text, kind text, game_uuid uuid, game_id text, dataset text, subject text
    ) order by account_id, charge_id
  loop
    loop
      select c.month into charged_in from usage_charges c where c.charge_id = wanted.charge_id;
      charged_in := coalesce(charged_in, date_trunc('month', usage_now() at time zone 'UTC'));
      insert into usage_months (account_id, month) values (wanted.account_id, charged_in) on conflict do nothing;
      perform from usage_months m where m.account_id = wanted.account_id and m.month = charged_in for update;
      select c.rows into debited from usage_charges c where c.charge_id = wanted.charge_id and c.month = charged_in;
      if found then
        update usage_charges c set rows = 0 where c.charge_id = wanted.charge_id;
        update usage_months m set used_rows = m.used_rows - debited
          where m.account_id = wanted.account_id and m.month = charged_in and debited > 0;
        exit;
      end if;
      insert into usage_charges (charge_id, account_id, month, kind, game_uuid, game_id, dataset, subject, rows, key_id)
        values (wanted.charge_id, wanted.account_id, charged_in, wanted.kind, wanted.game_uuid, wanted.game_id, wanted.dataset,
          wanted.subject, 0, wanted.key_id)
        on conflict (charge_id) do nothing;
      -- It was charged meanwhile, in another month: once more.
      exit when found;
    end loop;
  end loop;
end $$;
