// The rank of each pushing source, for its records (docs/quotes.md#ownership). The catalog is queried at most once every few seconds per
// source, so `sds sources rank` takes effect in the log that much later.
import { LRUCache } from 'lru-cache';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';

const keptFor: Micros = 5 * microsPerSecond;

export type RankOf = (source: string) => Promise<number>;

/** Ranks from the catalog, at most five seconds old. Rejects with CatalogUnavailable. */
export function openSourceRanks(pushes: Pick<PushCatalog, 'rankOf'>, clock: Clock): RankOf {
  const known = new LRUCache<string, { rank: Promise<number>; at: Micros }>({ max: 1_000 });
  return (source) => {
    const held = known.get(source);
    const age = held === undefined ? 0 : clock.now() - held.at;
    // A clock that goes back must not prolong a cached answer.
    if (held !== undefined && age >= 0 && age < keptFor) return held.rank;
    const entry = { rank: pushes.rankOf(source), at: clock.now() };
    known.set(source, entry);
    entry.rank.catch(() => {
      if (known.get(source) === entry) known.delete(source);
    });
    return entry.rank;
  };
}
