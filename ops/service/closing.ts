// Closes components that may hang: each step has a time limit, after which it is abandoned. Nothing is lost: unfinished work is in the same
// state as after a kill, and the next start continues from there.
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { sleep } from '../../platform/process/clock.ts';

/** How long a driver may take to close. */
export const driverCloseMs: Millis = 1_000;

/** How long the last spans may take to leave. */
export const tracesCloseMs: Millis = 1_000;

/** Waits for `close`, but no longer than `ms`; logs a failure or a delay and never rejects. */
export async function closeWithin(ms: Millis, what: string, log: Log, close: () => Promise<unknown>): Promise<void> {
  const inTime = new AbortController();
  const closing = close()
    .catch((error: unknown) => {
      log.error('a component failed to stop cleanly', {
        what,
        error: error instanceof Error ? error.message : String(error),
      });
    })
    .finally(() => inTime.abort());
  await Promise.race([closing, sleep(ms, inTime.signal)]);
  if (!inTime.signal.aborted) log.warn('abandoned while stopping: it does not answer', { what, after_ms: ms });
}

/**
 * Waits for a start; once a stop is asked for, for no longer than `ms`: a start may wait for a service as long as that is away. Rejects as the
 * start does.
 */
export function startUntilStopped(
  starting: Promise<void>,
  stopAsked: Promise<unknown>,
  ms: Millis,
  log: Log,
): Promise<void> {
  return Promise.race([starting, stopAsked.then(() => closeWithin(ms, 'the start', log, () => starting))]);
}
