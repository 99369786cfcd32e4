-- Of which columns and rules the live logs are: null where a release wrote them that noted none.
alter table stream_state add column log_version text;
alter table live_logs add column log_version text;
