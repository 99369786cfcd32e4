// The tokens that pay for requests: 100 a minute. A token comes back a minute after it was spent, so no minute, wherever it begins, spends
// more (docs/revisions.md#poller). Independent of the requests.
import { type Micros, microsPerSecond } from '../../units.ts';

export const tokensPerMinute = 100;

/** A request may be in progress for some seconds before the source counts it. */
const backAfter: Micros = 65 * microsPerSecond;

export class PullBudget {
  #spent: { at: Micros; tokens: number }[] = [];

  /** Spends tokens at `now`. */
  spend(now: Micros, tokens: number): void {
    this.#refill(now);
    this.#spent.push({ at: now, tokens });
  }

  /** When this many tokens are available: `now`, or the moment at which enough have come back. */
  readyAt(now: Micros, tokens: number): Micros {
    this.#refill(now);
    let there = tokensPerMinute - this.#spent.reduce((sum, each) => sum + each.tokens, 0);
    if (there >= tokens) return now;
    for (const each of this.#spent) {
      there += each.tokens;
      if (there >= tokens) return each.at + backAfter;
    }
    throw new RangeError(`a request for ${tokens} tokens can never be paid`);
  }

  /** Returns due tokens. If the clock was set back, spending times must not lie in the future. */
  #refill(now: Micros): void {
    this.#spent = this.#spent
      .map(({ at, tokens }) => ({ at: Math.min(at, now), tokens }))
      .filter(({ at }) => at + backAfter > now);
  }
}
