-- Which source an operator's offer in a game belongs to where several name it: the one of higher rank. What a source pushes carries its rank.
alter table sources add column rank integer not null default 0 check (rank between -1000 and 1000);
-- Those of the demo: any real source takes its operators over.
update sources set rank = -1 where source in ('demo-odds', 'demo-direct', 'demo-msf', 'demo-recording');
