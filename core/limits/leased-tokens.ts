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
  /** Admissions needed now. */
  take: number;
  /** Tokens to lease in addition; the shared count grants at most an eighth of those that are free. */
  extra: number;
  leaseId: string;
  /** The lease that this question ends ('' for none) and its used tokens: times and counts, alternating. */
  endedId: string;
  uses: readonly number[];
};

export type Grant = {
  taken: number;
  leased: number;
  /** Admissions still free for everyone. */
  free: number;
  /** Time until one admission is free if none is, otherwise until all are. */
  resetMs: Millis;
  /** The shared clock at the answer, and when the new lease ends by it. */
  at: Millis;
  leaseEnd: Millis;
};

export class LeasedTokens {
  readonly #newId: () => string;
  #leaseId = '';
  #left = 0;
  #end: Millis = 0;
  #uses: number[] = [];
  /** Shared clock minus ours; the true difference is at most this. */
  #offset: Millis = 0;
  #free = 0;
  #stretch = 0;
  #inStretch = 0;
  #inStretchBefore = 0;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Uses a leased token. Returns how many remain, or null if none may be used at `now`. */
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

  /** The question for `take` admissions; it ends the present lease. Call `answered` or `unanswered` next. */
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
    // The shared clock was read after the question was sent, so this offset is never too small.
    this.#offset = grant.at - sentAt;
  }

  /** Whether an ended lease has not been reported yet. */
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
