// Logs dead letters by source and code: the first at once, further ones once a minute with their number. A source with many refusals does
// not flood the log.
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';

/** `letters`: since the last log line. */
type Count = { source: string | null; code: string; letters: number; loggedAt: Micros };

/** Pairs of source and code that are counted separately. */
const mostPairs = 1_000;

export class DeadLetterTally {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #counts = new Map<string, Count>();

  constructor(clock: Pick<Clock, 'now'>, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Counts stored letters and logs what is due. */
  note(letters: readonly Pick<DeadLetter, 'source' | 'code'>[]): void {
    if (letters.length === 0) return;
    for (const letter of letters) this.#countOf(letter).letters += 1;
    const now = this.#clock.now();
    for (const count of this.#counts.values()) {
      if (count.letters === 0 || now - count.loggedAt < microsPerMinute) continue;
      const { source, code, letters: stored } = count;
      this.#log.warn('records were refused', { source, code, letters: stored });
      count.letters = 0;
      count.loggedAt = now;
    }
  }

  #countOf({ source: given, code }: Pick<DeadLetter, 'source' | 'code'>): Count {
    const source = given !== null && isSourceName(given) ? given : null;
    const known = this.#counts.get(`${source} ${code}`);
    if (known !== undefined) return known;
    // Hostile records may name any number of sources; beyond the limit they share one count.
    const name = this.#counts.size < mostPairs ? `${source} ${code}` : `null ${code}`;
    const count = this.#counts.get(name) ?? { source: null, code, letters: 0, loggedAt: Number.NEGATIVE_INFINITY };
    if (this.#counts.size < mostPairs) count.source = source;
    this.#counts.set(name, count);
    return count;
  }
}
