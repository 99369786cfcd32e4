// Which keys have been active lately: a key that is alone need not wait for others. Times are from a monotonic clock, in any unit.

export class ActiveKeys {
  readonly #lasting: number;
  /** When each key was last active; the most recent at the end. */
  readonly #at = new Map<string, number>();

  /** `lasting`: how long a key counts as active. */
  constructor(lasting: number) {
    this.#lasting = lasting;
  }

  note(key: string, now: number): void {
    this.#at.delete(key);
    this.#at.set(key, now);
  }

  /** Whether at most one key is active. */
  isAlone(now: number): boolean {
    this.#forgetIdle(now);
    return this.#at.size < 2;
  }

  /** Whether no key other than this one is active. */
  isOnly(key: string, now: number): boolean {
    this.#forgetIdle(now);
    return this.#at.size === (this.#at.has(key) ? 1 : 0);
  }

  #forgetIdle(now: number): void {
    for (const [key, at] of this.#at) {
      if (now - at <= this.#lasting) return;
      this.#at.delete(key);
    }
  }
}
