-- Why the owner of a stream can go no further without a person; the next claim takes it away and tries again. Null: it goes on.
alter table stream_state add column halted text;
