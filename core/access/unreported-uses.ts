// Requests of one subject that an instance admitted alone while the shared count was unreachable (docs/metering.md#ledger-outage): kept
// until they are reported, or until they have left the window and no longer matter. Each use has a number, so that a repeated report counts
// once.
import type { Millis } from '../units.ts';
import { windowMs } from './sliding-window.ts';

/** A report to the shared count: uses in order, the first with this number, as ages in ms and counts in turn. */
export type Telling = { first: number; ages: readonly number[] };

export class UnreportedUses {
  #first: number;
  readonly #times: Millis[] = [];
  readonly #counts: number[] = [];

  /** `first`: a number that no use of this subject and instance has had. */
  constructor(first: number) {
    this.#first = first;
  }

  add(now: Millis): void {
    const time = Math.ceil(now);
    const last = this.#times.length - 1;
    if (last >= 0 && this.#times[last] === time) this.#counts[last] = (this.#counts[last] as number) + 1;
    else {
      this.#expire(now);
      this.#times.push(time);
      this.#counts.push(1);
    }
  }

  /** Ages are never more than they are: a use is counted from when it was, or from a little later. */
  tell(now: Millis): Telling {
    this.#expire(now);
    const ages = this.#times.flatMap((time, at) => [Math.max(0, Math.floor(now - time)), this.#counts[at] as number]);
    return { first: this.#first, ages };
  }

  /** Removes the reported uses. */
  told({ first, ages }: Telling): void {
    let through = first;
    for (let at = 1; at < ages.length; at += 2) through += ages[at] as number;
    while (this.#first < through && this.#times.length > 0) {
      const count = this.#counts[0] as number;
      const told = Math.min(count, through - this.#first);
      this.#first += told;
      if (told === count) this.#drop();
      else this.#counts[0] = count - told;
    }
  }

  isEmpty(now: Millis): boolean {
    this.#expire(now);
    return this.#times.length === 0;
  }

  #expire(now: Millis): void {
    while (this.#times.length > 0 && (this.#times[0] as Millis) <= Math.floor(now) - windowMs) {
      this.#first += this.#counts[0] as number;
      this.#drop();
    }
  }

  #drop(): void {
    this.#times.shift();
    this.#counts.shift();
  }
}
