// Tells that the proxy's own disk or index fails. A full disk fails at each answer: the log has one line a minute of it.
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';

const toldEveryMs: Millis = 60_000;

/** `now`: a monotonic clock. */
export function openDiskFailures(log: Pick<Log, 'error'>, now: () => Millis): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return (error) => {
    failures += 1;
    if (now() - toldAt < toldEveryMs) return;
    log.error('the disk or the index of the proxy fails: it goes on without', { error: String(error), failures });
    toldAt = now();
    failures = 0;
  };
}
