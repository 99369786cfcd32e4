// The rate limiter of a service with several instances, over one Redis.
import { requestWindow } from '../../core/limits/request-window.ts';
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { TlsFiles } from '../links/tls-files.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import { newProcessTag } from '../process/ids.ts';
import { openRedisCount } from './redis-count.ts';
import { openSharedRateLimiter } from './shared-rate-limiter.ts';

/** Opens at once, whether Redis answers or not. Services with different `prefix`es can share a Redis without sharing a count. */
export function openRedisRateLimiter(options: {
  url: string;
  tls?: TlsFiles | null;
  log: Log;
  prefix?: string;
  /** How many instances there are, including this one, while Redis cannot say. */
  countInstances(): Promise<number>;
}): RateLimiter {
  const instanceId = newProcessTag();
  let leases = 0;
  return openSharedRateLimiter({
    count: openRedisCount({ ...options, window: requestWindow, instanceId }),
    window: requestWindow,
    now: monotonicMs,
    sleep,
    newLeaseId() {
      leases += 1;
      return `${instanceId}-${leases}`;
    },
  });
}
