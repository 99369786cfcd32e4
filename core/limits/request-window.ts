// The window over which requests are counted (docs/metering.md#sliding-window), as ONE value: how long it is, and what header fields and
// sentences call it. A limiter returns its window with each admission, so that answers say what was counted.
import type { Millis } from '../units.ts';

export type RequestWindow = {
  readonly ms: Millis;
  /** In the RateLimit fields; "requests per minute". */
  readonly name: string;
  /** "300 requests a minute". */
  readonly inWords: string;
};

/** Of all limits of requests. */
export const requestWindow: RequestWindow = { ms: 60_000, name: 'minute', inWords: 'a minute' };
