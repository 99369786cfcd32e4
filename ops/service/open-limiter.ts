// The limiter of this process, by its settings.
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import { openMemoryRateLimiter } from '../../platform/process/memory-rate-limiter.ts';

/** In memory: exact for a service of one process. */
export async function openLimiter(): Promise<RateLimiter> {
  return openMemoryRateLimiter();
}
