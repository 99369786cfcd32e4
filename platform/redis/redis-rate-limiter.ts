// The limiter of a service of several instances, over one Redis.
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { newProcessTag } from '../process/ids.ts';
import { openRedisCount } from './redis-count.ts';
import { openSharedRateLimiter } from './shared-rate-limiter.ts';

/** Opens at once, whether Redis answers or not. `prefix` keeps apart who shares a Redis and no count. */
export function openRedisRateLimiter(options: {
  url: string;
  log: Log;
  prefix?: string;
  /** How many instances there are, this one among them, while Redis cannot tell. */
  company(): Promise<number>;
}): RateLimiter {
  const instanceId = newProcessTag();
  let leases = 0;
  return openSharedRateLimiter({
    count: openRedisCount({ ...options, instanceId }),
    now: monotonicMs,
    sleep,
    newLeaseId() {
      leases += 1;
      return `${instanceId}-${leases}`;
    },
  });
}
