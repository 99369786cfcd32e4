// The shared count of requests in Redis, for the shared limiter.
import { type Grant, leaseMs } from '../../core/limits/leased-tokens.ts';
import type { RequestWindow } from '../../core/limits/request-window.ts';
import type { Millis } from '../../core/units.ts';
import { type MemberOptions, openRedisMember, scriptOf } from './redis-member.ts';
import { windowScript } from './scripts.ts';
import type { SharedCount } from './shared-rate-limiter.ts';

export function openRedisCount(
  options: Omit<MemberOptions, 'prefix' | 'counted'> & { window: RequestWindow; prefix?: string },
): SharedCount {
  const prefix = options.prefix ?? 'sds';
  const member = openRedisMember({ ...options, prefix, counted: 'requests' });
  return {
    ready: member.ready,
    instances: member.instances,
    async ask(subject, limit, { take, extra, leaseId, endedId, uses }, { first, ages }): Promise<Grant> {
      const name = `${prefix}:requests:{${subject}}`;
      const { instanceId, window } = options;
      const lease = [leaseMs, leaseId, endedId];
      const args = [window.ms, limit, take, extra, ...lease, instanceId, first, ages.length, ...ages, ...uses];
      const reply = (await member.ask(windowOf, [name, `${name}:times`], args)) as Reply;
      const [taken, leased, free, resetMs, at, leaseEnd] = reply;
      return { taken, leased, free, resetMs, at, leaseEnd };
    },
    close: member.close,
  };
}

type Reply = readonly [taken: number, leased: number, free: number, resetMs: Millis, at: Millis, leaseEnd: Millis];

const windowOf = scriptOf(windowScript);
