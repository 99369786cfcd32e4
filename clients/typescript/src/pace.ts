// When a client may send its next request: one back-off for all of its requests, however many run at once.

export class Pace {
  readonly #first: number;
  readonly #most: number;
  readonly #chance: () => number;
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #cause: Error | undefined;

  /** Seconds, as all times here. */
  constructor(first: number, most: number, chance: () => number = Math.random) {
    this.#first = first;
    this.#most = most;
    this.#chance = chance;
  }

  /** How long until a request may be sent. */
  delay(now: number): number {
    return Math.max(0, this.#notBefore - now);
  }

  /** What went wrong that requests wait for now. */
  get cause(): Error | undefined {
    return this.#cause;
  }

  /** Failures of requests that were under way when the first of them failed count once. */
  failed(sent: number, now: number, retryAfter = 0, cause?: Error): void {
    if (sent >= this.#failedAt) {
      this.#failures += 1;
      this.#failedAt = now;
    }
    const wait = Math.min(this.#most, this.#first * 2 ** Math.min(this.#failures - 1, 30)) * (0.5 + this.#chance() / 2);
    const notBefore = now + Math.max(wait, retryAfter);
    if (notBefore <= this.#notBefore) return;
    this.#notBefore = notBefore;
    this.#cause = cause;
  }

  /** A success of a request that was sent after the last failure ends the back-off. */
  answered(sent: number): void {
    if (sent >= this.#failedAt) this.#failures = 0;
  }
}
