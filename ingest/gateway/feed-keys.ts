// Who pushes: a feed key, and what it may do. A checksum that fails costs no query, an answer is asked for once for all who wait; a
// database that does not answer is 503, never 401. A revoked key is refused within the time an answer is kept here (10 s).
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { whyNotScope, whyNotSource } from '../../core/access/feed-grant.ts';
import { checkKey, macOfKey, type Pepper } from '../../core/access/key-format.ts';
import type { FeedKey, FeedScope, KeysCatalog } from '../../core/ports/catalog/keys.ts';
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

  async function findNow(token: string): Promise<FeedKey | null> {
    const key = await keys.feedKeyByMac(peppers.map((pepper) => macOfKey(token, pepper)));
    // Of use to the administrator alone: no push waits for it, or fails with it.
    if (key?.state === 'active') keys.noteFeedKeyUsed(key.id).catch(() => {});
    return key;
  }

  function find(token: string): Promise<FeedKey | null> {
    const place = createHash('sha256').update(token).digest('base64');
    const held = known.get(place);
    const age = held === undefined ? 0 : clock.now() - held.at;
    // A clock that steps back makes no answer last longer.
    if (held !== undefined && age >= 0 && age < held.keptFor) return held.key;
    const key = findNow(token);
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

/** Asserts that the key may push as `source`. @throws Problem `forbidden`. */
export function requireSource(key: FeedKey, source: string): void {
  const why = whyNotSource(key, source);
  if (why !== null) throw new Problem('forbidden', why);
}

/** Asserts that the key has the scope that `what` takes. @throws Problem `forbidden`. */
export function requireScope(key: FeedKey, scope: FeedScope, what: string, source: string): void {
  const why = whyNotScope(key, scope, what, source);
  if (why !== null) throw new Problem('forbidden', why);
}
