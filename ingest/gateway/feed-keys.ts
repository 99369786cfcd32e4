// Who pushes: a feed key, its sources and scopes. A checksum that fails costs no query, an answer is asked for once for all who wait; a
// database that does not answer is 503, never 401. A revoked key is refused within the time an answer is kept here (10 s).
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { checkKey, macOfKey, type Pepper } from '../../core/access/key-format.ts';
import type { FeedKey, KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { Problem } from './problem.ts';

const keptFor: Micros = 10 * microsPerSecond;
const unknownKeptFor: Micros = 2 * microsPerSecond;

type Entry = { key: Promise<FeedKey | null>; at: Micros; keptFor: Micros };

export type FeedKeys = {
  /** The key of the Authorization headers. @throws Problem `invalid-key`, `key-disabled`. */
  authenticate(authorization: readonly string[]): Promise<FeedKey>;
};

export function openFeedKeys(keys: KeysCatalog, peppers: readonly Pepper[], clock: Clock): FeedKeys {
  const known = new LRUCache<string, Entry>({ max: 1_000 });

  function find(token: string): Promise<FeedKey | null> {
    const place = createHash('sha256').update(token).digest('base64');
    const held = known.get(place);
    const age = held === undefined ? 0 : clock.now() - held.at;
    // A clock that steps back makes no answer last longer.
    if (held !== undefined && age >= 0 && age < held.keptFor) return held.key;
    const key = keys.feedKeyByMac(peppers.map((pepper) => macOfKey(token, pepper)));
    const entry: Entry = { key, at: clock.now(), keptFor };
    known.set(place, entry);
    key.then(
      (found) => {
        if (found === null) entry.keptFor = unknownKeptFor;
      },
      () => {
        if (known.get(place) === entry) known.delete(place);
      },
    );
    return key;
  }

  return {
    async authenticate(authorization) {
      if (authorization.length > 1) throw invalid('The request has more than one Authorization header.');
      const token = /^Bearer +(\S+)$/i.exec(authorization[0] ?? '')?.[1];
      if (token === undefined) throw invalid('Send one header Authorization: Bearer svc_feed_….');
      if (checkKey(token) !== 'feed')
        throw invalid('The key is not a feed key, or is mistyped: its checksum does not fit.');
      const key = await find(token);
      if (key === null) throw invalid('The key is unknown.');
      if (key.state !== 'active') throw new Problem('key-disabled', 'The feed key is revoked; mint a new one.');
      return key;
    },
  };
}

function invalid(detail: string): Problem {
  return new Problem('invalid-key', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="push-gateway"' } });
}

/** Asserts that the key speaks for `source`. @throws Problem `forbidden`. */
export function requireSource(key: FeedKey, source: string): void {
  if (!key.sources.includes('*') && !key.sources.includes(source))
    throw new Problem('forbidden', `The key does not speak for source ${source}.`);
}

/** Asserts that the key has `scope`. @throws Problem `forbidden`. */
export function requireScope(key: FeedKey, scope: 'push' | 'backfill', why: string): void {
  if (!key.scopes.includes(scope)) throw new Problem('forbidden', `It takes the scope ${scope}: ${why}.`);
}
