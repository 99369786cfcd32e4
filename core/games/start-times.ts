// Start times by which "is there one within 12 hours" is answered without looking at all of them: a hostile push may hold tens
// of thousands of events between the same two teams.
import { type Micros, microsPerHour } from '../units.ts';

/** Half a day: how far the starts of one game may lie apart. quotes.md, "Resolving the game". */
export const halfDay: Micros = 12 * microsPerHour;

export class StartTimes {
  /** Half-days since the epoch, each with its first and last moment. */
  readonly #halfDays = new Map<number, { first: Micros; last: Micros }>();

  add(time: Micros): void {
    const key = Math.floor(time / halfDay);
    const known = this.#halfDays.get(key);
    if (known === undefined) this.#halfDays.set(key, { first: time, last: time });
    else this.#halfDays.set(key, { first: Math.min(known.first, time), last: Math.max(known.last, time) });
  }

  /** Whether a moment at most half a day from `time` is there. */
  hasNear(time: Micros): boolean {
    const key = Math.floor(time / halfDay);
    if (this.#halfDays.has(key)) return true;
    const before = this.#halfDays.get(key - 1);
    const after = this.#halfDays.get(key + 1);
    return (
      (before !== undefined && before.last >= time - halfDay) || (after !== undefined && after.first <= time + halfDay)
    );
  }
}

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
