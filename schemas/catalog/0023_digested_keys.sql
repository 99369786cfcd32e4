-- Idempotency-Keys are clients' texts, which may hold what is nobody's business: only their digests are kept.
update idempotency_keys set key = 'sha256:' || encode(sha256(convert_to(key, 'UTF8')), 'hex')
where key !~ '^sha256:[0-9a-f]{64}$';
