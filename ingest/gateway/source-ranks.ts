// The rank of each source that pushes, for the records it makes (docs/quotes.md#ownership). The catalog is asked once every few seconds, whatever
// comes in: what `sds sources rank` says is in the log that much later.
import { LRUCache } from 'lru-cache';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';

const keptFor: Micros = 5 * microsPerSecond;

export type RankOf = (source: string) => Promise<number>;

/** Ranks as the catalog tells them, none older than five seconds. Rejects with CatalogUnavailable. */
export function openSourceRanks(pushes: Pick<PushCatalog, 'rankOf'>, clock: Clock): RankOf {
  const known = new LRUCache<string, { rank: Promise<number>; at: Micros }>({ max: 1_000 });
  return (source) => {
    const held = known.get(source);
    const age = held === undefined ? 0 : clock.now() - held.at;
    // A clock that steps back makes no answer last longer.
    if (held !== undefined && age >= 0 && age < keptFor) return held.rank;
    const entry = { rank: pushes.rankOf(source), at: clock.now() };
    known.set(source, entry);
    entry.rank.catch(() => {
      if (known.get(source) === entry) known.delete(source);
    });
    return entry.rank;
  };
}
