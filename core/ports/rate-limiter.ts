// Limits requests (docs/metering.md#sliding-window): no window of time admits more than the limit, and a client that uses a single
// instance gets all of it.
import type { RequestWindow } from '../limits/request-window.ts';
import type { Millis } from '../units.ts';

export type Admission = {
  admitted: boolean;
  limit: number;
  /** What the limit is for. */
  window: RequestWindow;
  /** How many more requests would be admitted now. */
  remaining: number;
  /** Until one more is admitted if none remains, otherwise until the whole limit is available again. */
  resetMs: Millis;
};

export interface RateLimiter {
  /**
   * Asks for one request of `subject` (a key's id, or an address). Answers synchronously from memory where it can. Never rejects: if its
   * backend fails, it decides alone.
   */
  admit(subject: string, limit: number): Admission | Promise<Admission>;
  /** The same without taking a request: for clients that are refused for another reason. */
  look(subject: string, limit: number): Admission | Promise<Admission>;
  /** Whether the shared count is unreachable and this process decides alone. */
  degraded(): boolean;
  close(): Promise<void>;
}
