// One instance's share of a count that many keep together (docs/metering.md#sliding-window): the tokens of one subject that this instance has
// leased, and what it has to tell of them when it asks again. A token is used before its lease ends or not at all; until it is told, the
// shared count takes every token of the lease as used at the lease's end, so nothing that goes wrong here ever admits more. What was used is
// told with the times of its use, so one instance alone gets exactly what a window without leases would give it. Times are of the shared clock
// as estimated here, never earlier than they were.
import type { Millis } from '../units.ts';

/** How long tokens are leased. Also the stretch of time by whose use the size of a lease is chosen. */
export const leaseMs: Millis = 500;
/** Leases begin with so many admissions within one stretch: fewer are cheaper asked for one by one. */
const busyFrom = 4;
const largestLease = 256;

export type Question = {
  /** Admitted now, one by one. */
  take: number;
  /** Tokens to lease beside; the shared count gives at most an eighth of what is free. */
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
  ask(now: Millis, take: number): Question {
    this.#count(now, take);
    const busy = Math.max(this.#inStretch, this.#inStretchBefore);
    const extra = take > 0 && busy >= busyFrom ? Math.min(busy, largestLease) : 0;
    const question = { take, extra, leaseId: extra > 0 ? this.#newId() : '', endedId: this.#leaseId, uses: this.#uses };
    this.#drop();
    return question;
  }

  /** The answer to the question that was sent at `sentAt`. */
  answered(question: Question, sentAt: Millis, grant: Grant): void {
    this.#free = grant.free;
    if (grant.leased === 0) return;
    this.#leaseId = question.leaseId;
    this.#left = grant.leased;
    this.#end = grant.leaseEnd;
    // Their clock was read after the question was sent: no earlier moment of ours belongs to it.
    this.#offset = grant.at - sentAt;
  }

  /** Whether a lease has ended that nobody was told of. */
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
