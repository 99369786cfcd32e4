// Time as the process sees it. Wall time fills `received_at`, `updated_at` and tick records; it never orders anything.
import type { Micros, Millis } from '../units.ts';

export interface Clock {
  /** The wall clock. */
  now(): Micros;
  /** Time that no setting of the wall clock moves, from an arbitrary origin: for durations. Left out: the wall clock has to do. */
  elapsed?(): Micros;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: Millis, signal?: AbortSignal): Promise<void>;
}
