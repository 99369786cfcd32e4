// Who may send another request (docs/metering.md#sliding-window): no window of 60 seconds admits more than the limit, and one that comes
// through a single instance is admitted exactly as often.
import type { Millis } from '../units.ts';

export type Admission = {
  admitted: boolean;
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Until one more is admitted where none remains, else until the whole limit is there again. */
  resetMs: Millis;
};

export interface RateLimiter {
  /** Asks for one request of `subject` (a key's id, or an address). At once where memory suffices. Never rejects: what it leans on failing, it decides by itself. */
  admit(subject: string, limit: number): Admission | Promise<Admission>;
  /** The same without taking anything: what is told to those who are refused for another reason. */
  look(subject: string, limit: number): Admission | Promise<Admission>;
  /** Whether it decides by itself because what it shares the count with cannot be reached. */
  degraded(): boolean;
  close(): Promise<void>;
}
