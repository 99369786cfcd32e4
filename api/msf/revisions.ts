// Published revisions. They never change, so one that was read is remembered, for a shorter time than its files are kept after it was
// dropped. A missing revision is not remembered (docs/interface.md#what-an-instance-remembers).
import { LRUCache } from 'lru-cache';
import type {
  KeptRevision,
  MsfCatalog,
  PublishedRevision,
  RevisionsQuery,
  StreamName,
} from '../../core/ports/catalog/msf.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';

export type Revisions = {
  /** A kept revision; null: the catalog has none. Synchronous if memory suffices. */
  one(name: StreamName, epoch: string, revision: number): KeptRevision | null | Promise<KeptRevision | null>;
  /** The listed revisions above `after` up to `through`, which is published. */
  list(query: RevisionsQuery): readonly PublishedRevision[] | Promise<readonly PublishedRevision[]>;
  /** The last revision of an epoch so far; null: the stream never had this epoch. */
  lastOfEpoch(name: StreamName, epoch: string): Promise<number | null>;
};

/** Objects of dropped revisions are kept for ten minutes. */
const rememberFor: Micros = 5 * microsPerMinute;
const rememberedRevisions = 20_000;
/** Counted in revisions. */
const rememberedInLists = 20_000;

export function openRevisions(options: {
  msf: Pick<MsfCatalog, 'revision' | 'revisions' | 'lastOfEpoch'>;
  deadlines: Deadlines;
  clock: Clock;
}): Revisions {
  const { msf, deadlines, clock } = options;
  const known = new LRUCache<string, { revision: KeptRevision; since: Micros }>({ max: rememberedRevisions });
  const lists = new LRUCache<string, { revisions: readonly PublishedRevision[]; since: Micros }>({
    maxSize: rememberedInLists,
    sizeCalculation: ({ revisions }) => revisions.length + 1,
  });
  const listing = new Map<string, Promise<readonly PublishedRevision[]>>();

  function isFresh({ since }: { since: Micros }): boolean {
    const age = clock.now() - since;
    return age >= 0 && age < rememberFor;
  }

  async function find(key: string, name: StreamName, epoch: string, number: number): Promise<KeptRevision | null> {
    const since = clock.now();
    const revision = await deadlines.catalog(() => msf.revision(name, epoch, number));
    if (revision !== null) known.set(key, { revision, since });
    return revision;
  }

  async function ask(key: string, query: RevisionsQuery): Promise<readonly PublishedRevision[]> {
    const since = clock.now();
    const revisions = await deadlines.catalog(() => msf.revisions(query));
    lists.set(key, { revisions, since });
    return revisions;
  }

  return {
    one(name, epoch, number) {
      const key = `${name.scopeUuid}/${name.dataset}/${epoch}/${number}`;
      const held = known.get(key);
      return held !== undefined && isFresh(held) ? held.revision : find(key, name, epoch, number);
    },
    list(query) {
      const { scopeUuid, dataset, epoch, after, through, limit } = query;
      if (after >= through) return [];
      const key = `${scopeUuid}/${dataset}/${epoch}/${after}/${through}/${limit}`;
      const held = lists.get(key);
      if (held !== undefined && isFresh(held)) return held.revisions;
      const running = listing.get(key);
      if (running !== undefined) return running;
      const promise = ask(key, query).finally(() => listing.delete(key));
      listing.set(key, promise);
      return promise;
    },
    lastOfEpoch: (name, epoch) => deadlines.catalog(() => msf.lastOfEpoch(name, epoch)),
  };
}
