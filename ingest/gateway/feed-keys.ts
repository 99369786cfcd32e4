// Who pushes: a feed key, its sources and scopes. A checksum that fails costs no query; a database that does not answer is 503, never 401.
// A revoked key is refused within the time an answer is kept here (10 s).
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { checkKey, macOfKey, type Pepper } from '../../core/access/key-format.ts';
import type { FeedKey, KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { microsPerSecond } from '../../core/units.ts';
import { Problem } from './problem.ts';

const keptFor = 10 * microsPerSecond;

export type FeedKeys = {
  /** The key of an Authorization header. @throws Problem `invalid-key`, `key-disabled`. */
  authenticate(authorization: readonly string[]): Promise<FeedKey>;
};

export function openFeedKeys(keys: KeysCatalog, peppers: readonly Pepper[], clock: Clock): FeedKeys {
  const known = new LRUCache<string, { key: FeedKey; until: number }>({ max: 1_000 });
  return {
    async authenticate(authorization) {
      const token = authorization.length === 1 ? /^Bearer +(\S+)$/i.exec(authorization[0] ?? '')?.[1] : undefined;
      if (token === undefined) throw new Problem('invalid-key', 'send one header Authorization: Bearer svc_feed_…');
      if (checkKey(token) !== 'feed')
        throw new Problem('invalid-key', 'the key is not a feed key, or is mistyped: its checksum does not fit');
      const place = createHash('sha256').update(token).digest('base64');
      let entry = known.get(place);
      if (entry === undefined || entry.until < clock.now()) {
        const key = await keys.feedKeyByMac(peppers.map((pepper) => macOfKey(token, pepper)));
        if (key === null) throw new Problem('invalid-key', 'the key is unknown');
        entry = { key, until: clock.now() + keptFor };
        known.set(place, entry);
      }
      if (entry.key.state !== 'active') throw new Problem('key-disabled', 'the feed key is revoked; mint a new one');
      return entry.key;
    },
  };
}

/** Asserts that the key speaks for `source`. @throws Problem `forbidden`. */
export function requireSource(key: FeedKey, source: string): void {
  if (!key.sources.includes('*') && !key.sources.includes(source))
    throw new Problem('forbidden', `the key does not speak for source ${source}`);
}

/** Asserts that the key has `scope`. @throws Problem `forbidden`. */
export function requireScope(key: FeedKey, scope: 'push' | 'backfill', why: string): void {
  if (!key.scopes.includes(scope)) throw new Problem('forbidden', `${why} needs a key with the scope ${scope}`);
}
