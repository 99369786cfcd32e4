// The header fields that report how many requests a client has left, in the form of the IETF draft and in the older one
// (docs/interface.md#response-headers).
import type { Admission } from '../../core/ports/rate-limiter.ts';
import type { Millis } from '../../core/units.ts';

/** Header fields, names and values alternating. */
export function rateLimitFields({ limit, remaining, resetMs, window }: Admission): string[] {
  const seconds = String(secondsOf(resetMs));
  return [
    'RateLimit-Policy',
    `"${window.name}";q=${limit};w=${window.ms / 1_000}`,
    'RateLimit',
    `"${window.name}";r=${remaining};t=${seconds}`,
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
  return Math.max(1, secondsOf(resetMs));
}

/**
 * Rounded up, so that a client that waits this long is admitted. The limiter counts to the end of the window's last millisecond, which
 * passes while the answer travels: in a window of 60 seconds, 60.001 become the policy's 60, not 61.
 */
function secondsOf(ms: Millis): number {
  return ms <= 0 ? 0 : Math.max(1, Math.ceil((ms - 1) / 1000));
}
