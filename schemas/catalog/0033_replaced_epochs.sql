-- serves-from: 0026
-- The console asks every two seconds which streams began a new epoch lately; epochs that are forgotten are among them.
create index msf_epochs_replaced on msf_epochs (replaced_at) where replaced_at is not null;
