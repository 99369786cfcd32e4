// Start times that answer "is there one within 12 hours" without a scan: a hostile push may hold tens of thousands of events between the
// same two teams.
import { type Micros, microsPerHour } from '../units.ts';

/** Half a day: how far apart the starts of one game may be. docs/quotes.md#resolving-the-game. */
export const halfDay: Micros = 12 * microsPerHour;

/** Start times, each with a holder. */
export class StartTimes<Holder> {
  /** By half-day since the epoch: the first and the last start in it. */
  readonly #halfDays = new Map<number, { first: Start<Holder>; last: Start<Holder> }>();

  add(time: Micros, holder: Holder): void {
    const key = Math.floor(time / halfDay);
    const start = { time, holder };
    const known = this.#halfDays.get(key);
    if (known === undefined) this.#halfDays.set(key, { first: start, last: start });
    else if (time < known.first.time) known.first = start;
    else if (time > known.last.time) known.last = start;
  }

  /** The holder of a start at most half a day from `time`, any of them; null if there is none. */
  near(time: Micros): Holder | null {
    const key = Math.floor(time / halfDay);
    const here = this.#halfDays.get(key);
    if (here !== undefined) return here.first.holder;
    const before = this.#halfDays.get(key - 1)?.last;
    if (before !== undefined && before.time >= time - halfDay) return before.holder;
    const after = this.#halfDays.get(key + 1)?.first;
    return after !== undefined && after.time <= time + halfDay ? after.holder : null;
  }
}

type Start<Holder> = { time: Micros; holder: Holder };

/** A start that an event reported; `gone`: it has reported another since. */
export type EventTime = { eventId: string; time: Micros; gone: boolean };

/** The starts of events, to find others nearby. Add all of them before the first query. */
export class EventTimes {
  readonly #events: EventTime[] = [];
  #sorted = false;

  add(event: EventTime): void {
    this.#events.push(event);
    this.#sorted = false;
  }

  /** Whether another event is at most half a day from `time`. */
  hasOtherNear(eventId: string, time: Micros): boolean {
    if (!this.#sorted) this.#events.sort((a, b) => a.time - b.time);
    this.#sorted = true;
    for (let at = this.#firstFrom(time - halfDay); at < this.#events.length; at += 1) {
      const event = this.#events[at] as EventTime;
      if (event.time > time + halfDay) return false;
      if (event.eventId !== eventId && !event.gone) return true;
    }
    return false;
  }

  /** Index of the first event at or after `time`. */
  #firstFrom(time: Micros): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as EventTime).time < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
