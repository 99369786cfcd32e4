// Counts the hits and misses of a cache. Every request looks something up, so both counters are kept at hand.
import type { Meter } from '../../core/ports/meter.ts';

/** Returns a function to call at each look-up in the cache named `cache`. */
export function countLookUps(meter: Meter, cache: string): (isHit: boolean) => void {
  const hit = meter.counter('sds_cache_requests_total', { cache, result: 'hit' });
  const miss = meter.counter('sds_cache_requests_total', { cache, result: 'miss' });
  return (isHit) => (isHit ? hit() : miss());
}
