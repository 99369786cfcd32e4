// The rate limiter of this process: over Redis if there is one for the shared count, otherwise in memory.
import type { InstancesCatalog } from '../../core/ports/catalog/leases.ts';
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openMemoryRateLimiter } from '../../platform/process/memory-rate-limiter.ts';

/** Opens at once, whether Redis answers or not. */
export async function openLimiter(
  { redis, edition }: Settings,
  instances: InstancesCatalog,
  log: Log,
): Promise<RateLimiter> {
  if (redis === null) {
    if (edition === 'distributed') log.warn('no REDIS_URL: each API process counts only its own requests');
    return openMemoryRateLimiter();
  }
  // Loaded on demand, so that the embedded edition stays small and starts quickly.
  const { openRedisRateLimiter } = await import('../../platform/redis/redis-rate-limiter.ts');
  return openRedisRateLimiter({ ...redis, log, countInstances: () => instances.countInstances('limiter') });
}
