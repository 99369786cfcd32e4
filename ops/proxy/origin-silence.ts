// Remembers that the API was silent, so that no reader waits for the same silence again to get what is kept. Meanwhile one request at a time
// finds out whether it answers; a silent one takes as long as the silence that it met, so there is no fast loop.
import type { Millis } from '../../core/units.ts';

/** Times are of one monotonic clock. */
export class OriginSilence {
  /** An API that was not asked for so long is asked as if it had answered. */
  static readonly rememberedMs: Millis = 60_000;
  #lastAt: Millis | null = null;
  #isProbed = false;

  /** Whether what is kept is served without a wait for the API. */
  isRemembered(now: Millis): boolean {
    return this.#lastAt !== null && (this.#isProbed || now - this.#lastAt < OriginSilence.rememberedMs);
  }

  /** Whether the caller finds out whether it answers again; it then says `ended` or `silent`. */
  beginProbe(): boolean {
    if (this.#isProbed) return false;
    this.#isProbed = true;
    return true;
  }

  silent(now: Millis): void {
    this.#lastAt = now;
    this.#isProbed = false;
  }

  /** It answered, or refused the connection: a request to it ends soon. */
  ended(): void {
    this.#lastAt = null;
    this.#isProbed = false;
  }
}
