-- Facts of sportsbooks are kept once for all that share them: [{last_row_at, observed_through, source, operators: [CODE]}]
update live_logs set operators = (
  select coalesce(jsonb_agg(shared.facts || jsonb_build_object('operators', shared.codes)), '[]')
  from (select value as facts, jsonb_agg(key order by key) as codes from jsonb_each(live_logs.operators) group by value) as shared
);
