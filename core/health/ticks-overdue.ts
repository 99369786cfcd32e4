// Whether the newest tick is so old that the folds no longer see time pass: quotes of a stopped feed would stay `live`
// (docs/quotes.md#ticks). Independent of the ticker.
import { type Micros, microsPerSecond } from '../units.ts';

/** Ticks come once a second; the next holder of a killed ticker's lease takes over within six seconds. */
const longestAge: Micros = 10 * microsPerSecond;

/** Whether the newest tick, or the wait for the first one, is too old. */
export function areTicksOverdue(age: Micros): boolean {
  return age > longestAge;
}
