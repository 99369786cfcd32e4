// How often a memory of the API has what it is asked for. Each request looks something up, so that the two counts are kept at hand.
import type { Meter } from '../../core/ports/meter.ts';

/** To call at each look-up in the memory named `cache`. */
export function countLookUps(meter: Meter, cache: string): (isHit: boolean) => void {
  const hit = meter.counter('sds_cache_requests_total', { cache, result: 'hit' });
  const miss = meter.counter('sds_cache_requests_total', { cache, result: 'miss' });
  return (isHit) => (isHit ? hit() : miss());
}
