// Start times by which "is there one within 12 hours" is answered without looking at all of them: a hostile push may hold tens
// of thousands of events between the same two teams.
import { type Micros, microsPerHour } from '../units.ts';

/** Half a day: how far the starts of one game may lie apart. docs/quotes.md#resolving-the-game. */
export const halfDay: Micros = 12 * microsPerHour;

/** Starts, each of somebody's. */
export class StartTimes<Holder> {
  /** Half-days since the epoch, each with its first and last moment. */
  readonly #halfDays = new Map<number, { first: Start<Holder>; last: Start<Holder> }>();

  add(time: Micros, holder: Holder): void {
    const key = Math.floor(time / halfDay);
    const start = { time, holder };
    const known = this.#halfDays.get(key);
    if (known === undefined) this.#halfDays.set(key, { first: start, last: start });
    else if (time < known.first.time) known.first = start;
    else if (time > known.last.time) known.last = start;
  }

  /** Whose start is at most half a day from `time`: one of them, or null. */
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

/** The start that an event told; `gone`: it has told another since. */
export type EventTime = { eventId: string; time: Micros; gone: boolean };

/** The starts of events, each of which asks for others near it. All are added before the first question. */
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
