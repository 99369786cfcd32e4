// What an answer says of the requests that its sender has left, in the form of the IETF draft and in the older one (decisions.md 13).
import type { Admission } from '../../core/ports/rate-limiter.ts';

/** Header fields, names and values in turn. Seconds are rounded up: whoever waits them has waited enough. */
export function rateLimitFields({ limit, remaining, resetMs }: Admission): string[] {
  const seconds = String(Math.ceil(resetMs / 1000));
  return [
    'RateLimit-Policy',
    `"minute";q=${limit};w=60`,
    'RateLimit',
    `"minute";r=${remaining};t=${seconds}`,
    'RateLimit-Limit',
    String(limit),
    'RateLimit-Remaining',
    String(remaining),
    'RateLimit-Reset',
    seconds,
  ];
}

/** Seconds after which a request is admitted again. */
export function retryAfterSeconds({ resetMs }: Admission): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}
