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

  /** Whether no key beside this one is active; without a key, whether at most one is. */
  isAlone(now: number, key?: string): boolean {
    for (const [other, at] of this.#at) {
      if (now - at <= this.#lasting) break;
      this.#at.delete(other);
    }
    return this.#at.size - (key !== undefined && this.#at.has(key) ? 1 : 0) < (key === undefined ? 2 : 1);
  }
}
