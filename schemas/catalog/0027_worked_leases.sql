-- serves-from: 0026
-- When the holder of a lease has last done its work: the age of the newest tick is part of the service's health.
alter table leases add column worked_at timestamptz;
