// The sliding windows of all subjects. A window that counts nothing is dropped while others ask, so memory is bounded by the subjects of
// one window. Beyond `mostSubjects` subjects, unrelated subjects share windows: they may be admitted less, never more.
import type { Admission } from '../ports/rate-limiter.ts';
import type { Millis } from '../units.ts';
import { type RequestWindow, requestWindow } from './request-window.ts';
import { SlidingWindow } from './sliding-window.ts';

const sharedWindows = 1_024;

export class WindowTable {
  /** In the order of their last admission. */
  readonly #windows = new Map<string, SlidingWindow>();
  readonly #window: RequestWindow;
  readonly #mostSubjects: number;
  /** The subject that asked last; asking again, it need not be moved to the end. */
  #newest: string | null = null;
  /** Whether there ever were too many subjects. */
  #sharing = false;

  constructor({ window = requestWindow, mostSubjects = 100_000 } = {}) {
    this.#window = window;
    this.#mostSubjects = mostSubjects;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Asks for `cost` admissions of `subject` at `now`; a cost of 0 only asks. */
  admit(subject: string, limit: number, now: Millis, cost = 1): Admission {
    this.#forgetIdle(now);
    const name = this.#nameOf(subject);
    const known = this.#windows.get(name);
    const window = known ?? new SlidingWindow(this.#window);
    const admission = window.admit(now, limit, cost);
    if (admission.admitted && cost > 0 && (known === undefined || name !== this.#newest)) {
      this.#windows.delete(name);
      this.#windows.set(name, window);
      this.#newest = name;
    }
    return admission;
  }

  clear(): void {
    this.#windows.clear();
  }

  /** Drops up to two idle windows per request, more than the one that a request may add. */
  #forgetIdle(now: Millis): void {
    let looked = 0;
    for (const [name, window] of this.#windows) {
      if (looked === 2 || !window.isIdle(now)) return;
      this.#windows.delete(name);
      looked += 1;
    }
  }

  /** A subject in a shared window stays there until the window is forgotten: leaving it would reset its count. */
  #nameOf(subject: string): string {
    if (this.#windows.has(subject)) return subject;
    const full = this.#windows.size >= this.#mostSubjects;
    if (full) this.#sharing = true;
    if (!this.#sharing) return subject;
    let hash = 0;
    for (let at = 0; at < subject.length; at += 1) hash = (Math.imul(hash, 31) + subject.charCodeAt(at)) | 0;
    const shared = `shared ${(hash >>> 0) % sharedWindows}`;
    return full || this.#windows.has(shared) ? shared : subject;
  }
}
