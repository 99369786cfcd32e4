-- serves-from: 0026
-- The trace that a record continues, as its header `traceparent`; null where nothing is traced (docs/operations.md#traces).
alter table outbox add column traceparent text;
