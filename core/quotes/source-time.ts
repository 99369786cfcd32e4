// Which source times are accepted (docs/quotes.md#time-of-a-record). The gateway checks texts, the fold checks micros.
import { type Micros, microsPerSecond } from '../units.ts';
import type { QuoteRefusal } from './types.ts';

const earliest: Micros = Date.UTC(2000, 0, 1) * 1000;
/** How far a time may be ahead of the clock it is checked against, because clocks differ. */
export const mostAhead: Micros = 5 * microsPerSecond;

/**
 * `bad-time` or `future-observation` for a source time, checked against the receive time; null: accepted. `observedAt` null: unreadable.
 */
export function sourceTimeRefusal(observedAt: Micros | null, receivedAt: Micros, pointer: string): QuoteRefusal | null {
  if (observedAt === null) {
    return { code: 'bad-time', pointer, detail: 'the source time is not RFC 3339' };
  }
  if (observedAt < earliest) return { code: 'bad-time', pointer, detail: 'the source time is before 2000-01-01' };
  if (observedAt > receivedAt + mostAhead) {
    return { code: 'future-observation', pointer, detail: 'the source time is more than 5 s after the receive time' };
  }
  return null;
}
