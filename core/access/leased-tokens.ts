// One instance's part in a shared count (docs/metering.md#sliding-window): the tokens of one subject that it has leased, and what it
// reports about them with its next request. A token is used before its lease ends or not at all. Until a report arrives, the shared count
// assumes that all tokens of a lease were used at its end, so no failure here ever admits more. Reports contain the times of use, so a
// single instance gets exactly what a window without leases would admit. Times are this instance's estimate of the shared clock, never
// earlier than the real ones.
import type { Millis } from '../units.ts';

/** How long tokens are leased. Also the stretch of time whose use decides the size of the next lease. */
export const leaseMs: Millis = 500;
/** Leasing begins with this many admissions within one stretch; fewer are cheaper one by one. */
const busyFrom = 4;
const largestLease = 256;

export type LeaseQuestion = {
  /** Admitted now, one by one. */
  take: number;
  /** Tokens to lease in addition; the shared count grants at most an eighth of what is free. */
  extra: number;
  leaseId: string;
  /** The lease that ends with this question, '' for none, and the tokens used of it: times and counts in turn. */
  endedId: string;
  uses: readonly number[];
};

export type Grant = {
  taken: number;
  leased: number;
  /** What is left to anybody. */
  free: number;
  /** Until one is free where none is left, else until all are. */
  resetMs: Millis;
  /** The shared clock at the answer, and where the new lease ends. */
  at: Millis;
  leaseEnd: Millis;
};

export class LeasedTokens {
  readonly #newId: () => string;
  #leaseId = '';
  #left = 0;
  #end: Millis = 0;
  #uses: number[] = [];
  /** Shared clock minus ours, at most that. */
  #offset: Millis = 0;
  #free = 0;
  #stretch = 0;
  #inStretch = 0;
  #inStretchBefore = 0;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Uses a leased token; how many remain then, or null when there is none to use at `now`. */
  use(now: Millis): number | null {
    if (this.#left === 0) return null;
    const at = Math.ceil(now + this.#offset);
    if (at >= this.#end) return null;
    this.#left -= 1;
    this.#count(now, 1);
    const last = this.#uses.length - 2;
    if (last >= 0 && this.#uses[last] === at) this.#uses[last + 1] = (this.#uses[last + 1] as number) + 1;
    else this.#uses.push(at, 1);
    return this.#left + this.#free;
  }

  /** The question for `take` admissions, which ends the present lease. It has to be followed by `answered` or `unanswered`. */
  ask(now: Millis, take: number): LeaseQuestion {
    this.#count(now, take);
    const busy = Math.max(this.#inStretch, this.#inStretchBefore);
    const extra = take > 0 && busy >= busyFrom ? Math.min(busy, largestLease) : 0;
    const question = { take, extra, leaseId: extra > 0 ? this.#newId() : '', endedId: this.#leaseId, uses: this.#uses };
    this.#drop();
    return question;
  }

  /** The answer to the question that was sent at `sentAt`. */
  answered(question: LeaseQuestion, sentAt: Millis, grant: Grant): void {
    this.#free = grant.free;
    if (grant.leased === 0) return;
    this.#leaseId = question.leaseId;
    this.#left = grant.leased;
    this.#end = grant.leaseEnd;
    // Their clock was read after the question was sent: no earlier moment of ours belongs to it.
    this.#offset = grant.at - sentAt;
  }

  /** Whether a lease has ended that was not reported yet. */
  isDue(now: Millis): boolean {
    return this.#leaseId !== '' && now + this.#offset >= this.#end;
  }

  get isIdle(): boolean {
    return this.#leaseId === '';
  }

  #drop(): void {
    this.#leaseId = '';
    this.#left = 0;
    this.#uses = [];
  }

  #count(now: Millis, admissions: number): void {
    const stretch = Math.floor(now / leaseMs);
    if (stretch !== this.#stretch) {
      this.#inStretchBefore = stretch === this.#stretch + 1 ? this.#inStretch : 0;
      this.#inStretch = 0;
      this.#stretch = stretch;
    }
    this.#inStretch += admissions;
  }
}
