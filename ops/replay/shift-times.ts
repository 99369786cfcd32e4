// Shifts the times in a recorded body by a constant, so that an old game can be played as if it were now.
import { formatMicros, parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';

const timeNames = new Set([
  'commence_time',
  'last_update',
  'source_timestamp',
  'observed_at',
  'timestamp',
  'previous_timestamp',
  'next_timestamp',
  // of MySportsFeeds
  'lastUpdatedOn',
  'startTime',
  'endedTime',
  'originalStartTime',
  'asOfTime',
]);

/** `value` with every time in it shifted by `delta`; the rest unchanged. */
export function shiftTimes(value: unknown, delta: Micros, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shiftTimes(each, delta, name));
  if (typeof value === 'string' && timeNames.has(name)) {
    const time = parseRfc3339(value);
    return time === null ? value : formatMicros(time + delta);
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, shiftTimes(inner, delta, member)]));
}
