// What a record tells of the clocks of the programs that wrote it, as far as it can be true. Log time never goes back, so a time from the
// future would stop a game's clock for good; but what was acknowledged is not lost for a wrong clock (docs/durability.md#clock-skew).
import type { Micros } from '../units.ts';
import { mostAhead } from './source-time.ts';

/**
 * A receive time, tick or status time as it counts: as told, or, where it is more than 5 s ahead of the broker's timestamp, that timestamp:
 * nobody can have received or ticked what the broker's clock has not come to, and a clock that says so is not believed at all.
 */
export function believedTime(told: Micros, brokerTime: Micros): Micros {
  return told > brokerTime + mostAhead ? brokerTime : told;
}

type Timed = { readonly received_at: Micros | null; readonly tick: { readonly at: Micros } | null };

/** The record with its receive time and its tick as they count. docs/quotes.md#time-of-a-record; docs/revisions.md#observations. */
export function withBelievedTimes<Told extends Timed>(record: Told, brokerTime: Micros): Told {
  const latest = brokerTime + mostAhead;
  const { received_at: received, tick } = record;
  if ((received === null || received <= latest) && (tick === null || tick.at <= latest)) return record;
  return {
    ...record,
    received_at: received === null ? null : believedTime(received, brokerTime),
    tick: tick === null ? null : { at: believedTime(tick.at, brokerTime) },
  };
}
