// Time as the process sees it. Wall time fills `received_at`, `updated_at` and tick records; it never orders anything.
import type { Micros, Millis } from '../units.ts';

export interface Clock {
  /** The wall clock. */
  now(): Micros;
  /** A monotonic clock with an arbitrary origin, for durations. Absent: use the wall clock. */
  elapsed?(): Micros;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: Millis, signal?: AbortSignal): Promise<void>;
}

/** The time for durations and intervals: a wall clock that is set back would stop them until it has caught up. */
export function elapsedBy(clock: Pick<Clock, 'now' | 'elapsed'>): Micros {
  return clock.elapsed?.() ?? clock.now();
}
