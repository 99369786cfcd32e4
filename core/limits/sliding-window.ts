// An exact sliding window (docs/metering.md#sliding-window): counts the admissions of its length of time until now and decides whether one
// more is allowed. Admissions within one millisecond share an entry, so a window holds at most one entry per request or per millisecond,
// whichever is fewer. Times are from a monotonic clock; an admission counts from the end of its millisecond for the whole length.
import type { Admission } from '../ports/rate-limiter.ts';
import type { Millis } from '../units.ts';
import type { RequestWindow } from './request-window.ts';

export class SlidingWindow {
  readonly #window: RequestWindow;
  readonly #times: Millis[] = [];
  readonly #counts: number[] = [];
  /** Entries before it have left the window. */
  #first = 0;
  #total = 0;

  constructor(window: RequestWindow) {
    this.#window = window;
  }

  /** Asks for `cost` admissions at once at `now`: all of them or none. A cost of 0 only asks whether one would be admitted. */
  admit(now: Millis, limit: number, cost: number): Admission {
    this.#expire(now);
    const admitted = this.#total + cost <= limit;
    if (admitted && cost > 0) this.#add(Math.ceil(now), cost);
    const remaining = Math.max(0, limit - this.#total);
    return {
      admitted: admitted && (cost > 0 || remaining > 0),
      limit,
      remaining,
      window: this.#window,
      resetMs: this.#resetMs(now, remaining > 0 ? 0 : limit - 1),
    };
  }

  /** Whether the window counts nothing any more. */
  isIdle(now: Millis): boolean {
    this.#expire(now);
    return this.#total === 0;
  }

  #add(time: Millis, count: number): void {
    this.#total += count;
    const last = this.#times.length - 1;
    if (last >= this.#first && (this.#times[last] as Millis) >= time) {
      this.#counts[last] = (this.#counts[last] as number) + count;
      return;
    }
    this.#times.push(time);
    this.#counts.push(count);
  }

  #expire(now: Millis): void {
    const before = Math.floor(now) - this.#window.ms;
    while (this.#first < this.#times.length && (this.#times[this.#first] as Millis) <= before) {
      this.#total -= this.#counts[this.#first] as number;
      this.#first += 1;
    }
    if (this.#first < 64 || this.#first * 2 < this.#times.length) return;
    this.#times.splice(0, this.#first);
    this.#counts.splice(0, this.#first);
    this.#first = 0;
  }

  /** Time until at most `most` admissions are counted. */
  #resetMs(now: Millis, most: number): Millis {
    let counted = this.#total;
    if (counted <= most) return 0;
    // Usually the end of the first entry decides, or of the last one when all have to leave.
    if (most === 0) return (this.#times.at(-1) as Millis) + this.#window.ms - now;
    let at = this.#first - 1;
    while (counted > most) {
      at += 1;
      counted -= this.#counts[at] as number;
    }
    return (this.#times[at] as Millis) + this.#window.ms - now;
  }
}
