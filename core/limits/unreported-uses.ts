// Requests of one subject that this instance admitted alone while the shared count was unreachable (docs/metering.md#ledger-outage). They
// are kept until they are reported, or until they leave the window and no longer matter. Uses are numbered, so that a repeated report
// counts once.
import type { Millis } from '../units.ts';

/** A report to the shared count: uses in order, the first with this number, as ages in ms and counts, alternating. */
export type UsesReport = { first: number; ages: readonly number[] };

export class UnreportedUses {
  #first: number;
  readonly #windowMs: Millis;
  readonly #times: Millis[] = [];
  readonly #counts: number[] = [];

  /** `first`: a number that no use of this subject and instance has had. */
  constructor(first: number, windowMs: Millis) {
    this.#first = first;
    this.#windowMs = windowMs;
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

  /** Ages are never too high: a use counts from its time or slightly later. */
  report(now: Millis): UsesReport {
    this.#expire(now);
    const ages = this.#times.flatMap((time, at) => [Math.max(0, Math.floor(now - time)), this.#counts[at] as number]);
    return { first: this.#first, ages };
  }

  /** Removes the reported uses. */
  reported({ first, ages }: UsesReport): void {
    let through = first;
    for (let at = 1; at < ages.length; at += 2) through += ages[at] as number;
    while (this.#first < through && this.#times.length > 0) {
      const count = this.#counts[0] as number;
      const dropped = Math.min(count, through - this.#first);
      this.#first += dropped;
      if (dropped === count) this.#drop();
      else this.#counts[0] = count - dropped;
    }
  }

  isEmpty(now: Millis): boolean {
    this.#expire(now);
    return this.#times.length === 0;
  }

  #expire(now: Millis): void {
    while (this.#times.length > 0 && (this.#times[0] as Millis) <= Math.floor(now) - this.#windowMs) {
      this.#first += this.#counts[0] as number;
      this.#drop();
    }
  }

  #drop(): void {
    this.#times.shift();
    this.#counts.shift();
  }
}
