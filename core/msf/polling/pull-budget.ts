// The tokens that requests are paid with: 100 a minute, and each is back a minute after it was spent, so that no minute, wherever it begins,
// sees more of them go (docs/revisions.md#poller). Unaware of what they are spent on.
import { type Micros, microsPerSecond } from '../../units.ts';

export const tokensPerMinute = 100;

/** A request may be under way for a while before the source counts it. */
const backAfter: Micros = 65 * microsPerSecond;

export class PullBudget {
  #spent: { at: Micros; tokens: number }[] = [];

  /** Tokens go at `now`. */
  spend(now: Micros, tokens: number): void {
    this.#refill(now);
    this.#spent.push({ at: now, tokens });
  }

  /** When so many tokens are there: `now`, or the moment at which enough are back. */
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

  /** Forgets what is back. A clock that was set back has not made the future. */
  #refill(now: Micros): void {
    this.#spent = this.#spent
      .map(({ at, tokens }) => ({ at: Math.min(at, now), tokens }))
      .filter(({ at }) => at + backAfter > now);
  }
}
