// The feed-key shares of this process: over Redis if there is one for the shared count, otherwise in memory.
import type { InstancesCatalog } from '../../core/ports/catalog/leases.ts';
import type { FeedShares } from '../../core/ports/feed-shares.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { openMemoryFeedShares } from '../../platform/process/memory-feed-shares.ts';

/** Opens at once, whether Redis answers or not. */
export async function openFeedShares(
  { redis, edition, feedLimits }: Settings,
  instances: InstancesCatalog,
  log: Log,
): Promise<FeedShares> {
  if (redis === null) {
    if (edition === 'distributed') log.warn('no REDIS_URL: each gateway counts only its own pushes');
    return openMemoryFeedShares(feedLimits);
  }
  // Loaded on demand, so that the embedded edition stays small and starts quickly.
  const { openRedisFeedShares } = await import('../../platform/redis/redis-feed-shares.ts');
  const countInstances = (): Promise<number> => instances.countInstances('gateway');
  return openRedisFeedShares({ ...redis, limits: feedLimits, log, countInstances });
}
