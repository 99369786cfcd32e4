// What every sportsbook quoted at an instant of a log (docs/odds.md#as-of-an-instant): the newest row of each selection at that instant.
// Takes the rows in log order and keeps only the newest of each selection, which is all that later instants need.
import type { Micros } from '../units.ts';
import type { Quote } from './quote.ts';

export class LogQuotes {
  readonly #newest = new Map<string, Map<string, Quote>>();

  /** Takes the next row of the log. */
  add(quote: Quote): void {
    const own = this.#newest.get(quote.operator);
    if (own === undefined) this.#newest.set(quote.operator, new Map([[quote.selectionId, quote]]));
    else own.set(quote.selectionId, quote);
  }

  /** Takes the next rows, those at or before `at`; null: all. */
  addUntil(quotes: readonly Quote[], at: Micros | null): void {
    for (const quote of quotes) if (at === null || quote.changedAt <= at) this.add(quote);
  }

  /** The newest row of each selection, including withdrawn ones. */
  newest(): Quote[] {
    return [...this.#newest.values()].flatMap((own) => [...own.values()]);
  }

  /** The newest rows that are open or suspended. */
  quoted(): Quote[] {
    return this.newest().filter(({ isWithdrawn }) => !isWithdrawn);
  }
}
