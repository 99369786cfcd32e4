// Limits how far a record's own clock readings are trusted. Log time never goes back, so a time from the future would stop a game's clock
// for good; but an acknowledged record must not be lost because of a wrong clock (docs/durability.md#clock-skew).
import type { Micros } from '../units.ts';
import { mostAhead } from './source-time.ts';

/**
 * The receive time, tick or status time to use: the record's, unless it is more than 5 s ahead of the broker's timestamp, then that
 * timestamp. The broker stores a record after those times, so a clock that says otherwise is ignored altogether.
 */
export function believedTime(time: Micros, brokerTime: Micros): Micros {
  return time > brokerTime + mostAhead ? brokerTime : time;
}

type Timed = { readonly received_at: Micros | null; readonly tick: { readonly at: Micros } | null };

/**
 * The record with its receive time and tick limited by the broker's timestamp. docs/quotes.md#time-of-a-record;
 * docs/revisions.md#observations.
 */
export function withBelievedTimes<Kind extends Timed>(record: Kind, brokerTime: Micros): Kind {
  const latest = brokerTime + mostAhead;
  const { received_at: received, tick } = record;
  if ((received === null || received <= latest) && (tick === null || tick.at <= latest)) return record;
  return {
    ...record,
    received_at: received === null ? null : believedTime(received, brokerTime),
    tick: tick === null ? null : { at: believedTime(tick.at, brokerTime) },
  };
}
