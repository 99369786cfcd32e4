// A rate limiter counted in this process alone: exact, immediate, and lost when the process ends.
import { type RequestWindow, requestWindow } from '../../core/limits/request-window.ts';
import { WindowTable } from '../../core/limits/window-table.ts';
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs } from './clock.ts';

/** `now` must be monotonic. */
export function openMemoryRateLimiter(
  now: () => Millis = monotonicMs,
  window: RequestWindow = requestWindow,
): RateLimiter {
  const windows = new WindowTable({ window });
  return {
    admit: (subject, limit) => windows.admit(subject, limit, now()),
    look: (subject, limit) => windows.admit(subject, limit, now(), 0),
    degraded: () => false,
    close: async () => {},
  };
}
