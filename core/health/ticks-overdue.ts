// When the newest tick is so old that time no longer reaches the folds: quotes whose feed has stopped would stay `live`
// (docs/quotes.md#ticks). Unaware of who ticks.
import { type Micros, microsPerSecond } from '../units.ts';

/** Ticks come once a second; the next holder of a killed ticker's lease takes over within six seconds. */
const longestAge: Micros = 10 * microsPerSecond;

/** Whether the newest tick, or the wait for a first one, is too old. */
export function areTicksOverdue(age: Micros): boolean {
  return age > longestAge;
}
