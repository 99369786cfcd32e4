// Paces the refusals of a key that exceeds its limits. A sender that ignores Retry-After sends its next request as soon as it has the
// refusal, and refusing a request costs a quarter of a small push. So refusals of one key are sent some milliseconds apart, which makes the
// sender wait.
import { type Clock, elapsedBy } from '../../core/ports/clock.ts';
import type { Millis } from '../../core/units.ts';

/** Resolves when the key's next refusal may be sent. */
export type RefusalPace = (key: string) => Promise<void>;

const everyMs: Millis = 50;
/** If this many refusals of a key wait, further ones are sent at once: each waiting one occupies a connection. */
const mostWaiting = 64;

export function openRefusalPace(clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>): RefusalPace {
  const now = (): Millis => elapsedBy(clock) / 1_000;
  /** When each key's next refusal may be sent. Keys are few. */
  const due = new Map<string, Millis>();
  return async (key) => {
    const at = Math.max(now(), due.get(key) ?? 0);
    if (at - now() > mostWaiting * everyMs) return;
    due.set(key, at + everyMs);
    if (at > now()) await clock.sleep(at - now());
  };
}
