// The reasons of degraded health in the form of the internal listener and `sds status --json` (docs/operations.md#health).
import type { SeenReason } from '../../core/health/reason.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';

export function reasonsAsJson(reasons: readonly SeenReason[]) {
  return reasons.map(({ name, since, seenBy, detail }) => ({
    reason: name,
    since: formatMicros(since),
    seen_by: seenBy,
    detail,
  }));
}
