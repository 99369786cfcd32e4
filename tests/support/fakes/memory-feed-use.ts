// The usage of feed keys in memory; tests set its clock and its faults.
import { utcDayOf } from '../../../core/limits/feed-quotas.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { FeedUseCatalog, UseCount } from '../../../core/ports/catalog/feed-use.ts';
import type { Micros } from '../../../core/units.ts';

export class MemoryFeedUse implements FeedUseCatalog {
  readonly #sums = new Map<string, UseCount>();
  readonly #now: () => Micros;
  /** Every call fails. */
  down = false;
  /** How often usage was added. */
  batches = 0;

  constructor(now: () => Micros) {
    this.#now = now;
  }

  async add(counts: readonly UseCount[]): Promise<readonly UseCount[]> {
    this.batches += 1;
    if (this.down) throw new CatalogUnavailable('the database is down');
    return counts.map((count) => {
      const place = placeOf(count);
      const sum = { ...count, amount: count.amount + (this.#sums.get(place)?.amount ?? 0) };
      this.#sums.set(place, sum);
      return sum;
    });
  }

  async today(): Promise<readonly UseCount[]> {
    const today = utcDayOf(this.#now());
    const sums = [...this.#sums].filter(([, { day }]) => day === today);
    return sums.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }

  async expire(): Promise<void> {
    const oldest = utcDayOf(this.#now() - 35 * 24 * 3_600 * 1_000_000);
    for (const [place, { day }] of this.#sums) if (day < oldest) this.#sums.delete(place);
  }

  /** What the key used on a day. */
  used(keyId: string, day: string, name: string): number {
    return this.#sums.get(placeOf({ keyId, day, kind: 'used', name }))?.amount ?? 0;
  }

  refused(keyId: string, day: string): Record<string, number> {
    const sums = [...this.#sums.values()].filter(
      (sum) => sum.keyId === keyId && sum.day === day && sum.kind === 'refused',
    );
    return Object.fromEntries(sums.map(({ name, amount }) => [name, amount]));
  }
}

function placeOf({ keyId, day, kind, name }: Omit<UseCount, 'amount'>): string {
  return [keyId, day, kind, name].join('\u0000');
}
