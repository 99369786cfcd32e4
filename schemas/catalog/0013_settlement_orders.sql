-- Settlement workers ask every second which games have something to be built. What was ordered is kept beside what was built, so that an index
-- answers for games of all seasons; evidence is compared for those that landed not long ago.
drop function settlement_orders(settlements);
alter table settlements add column orders text not null generated always as (
  'again/' || again::text || coalesce(' manual/' || (manual ->> 'audit_id'), '') || ' removed/' || md5(removed::text)
) stored;
create index settlements_ordered on settlements (game_uuid) where closed is not null and built_orders is distinct from orders;
