// Time as the process sees it. Wall time fills `received_at`, `updated_at` and tick records; it never orders anything.
import type { Micros, Millis } from '../units.ts';

export interface Clock {
  /** The wall clock. */
  now(): Micros;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: Millis, signal?: AbortSignal): Promise<void>;
}
