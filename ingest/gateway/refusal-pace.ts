// How often a key is refused for its limits. A sender that does not wait as Retry-After says sends the next request as soon as it has its refusal,
// and to read and refuse a request costs a quarter of what a small push does. So the refusals of a key go out some milliseconds apart, and
// the sender waits.
import type { Clock } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';

/** Resolves when the key may have its next refusal. */
export type RefusalPace = (key: string) => Promise<void>;

const everyMs: Millis = 20;
/** Refusals of a key beyond so many go out at once: one that waits keeps its connection from others. */
const mostWaiting = 64;

export function openRefusalPace(clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>): RefusalPace {
  const now = (): Millis => (clock.elapsed?.() ?? clock.now()) / 1_000;
  /** When each key may have its next refusal: keys are few. */
  const due = new Map<string, Millis>();
  return async (key) => {
    const at = Math.max(now(), due.get(key) ?? 0);
    if (at - now() > mostWaiting * everyMs) return;
    due.set(key, at + everyMs);
    if (at > now()) await clock.sleep(at - now());
  };
}
