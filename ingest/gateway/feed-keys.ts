// Authenticates feed keys. A wrong checksum costs no query, and concurrent requests with one key share a query; if the database does not
// answer, the result is 503, never 401. A revoked key is refused once its cached answer expires (10 s).
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { whyNotScope, whyNotSource } from '../../core/access/feed-grant.ts';
import { checkKey, macOfKey, type Pepper } from '../../core/access/key-format.ts';
import type { FeedKey, FeedScope, KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { refuse } from '../../http/refusal.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';

const keptFor: Micros = 10 * microsPerSecond;
const unknownKeptFor: Micros = 2 * microsPerSecond;

type Entry = { key: Promise<FeedKey | null>; at: Micros; keptFor: Micros };

export type FeedKeys = {
  /** The key of the Authorization header, which the request has `count` times; or `invalid-key`, `key-disabled`. */
  authenticate(authorization: string | null, count: number): Promise<FeedKey | GatewayRefusal>;
};

export function openFeedKeys(keys: KeysCatalog, peppers: readonly Pepper[], clock: Clock): FeedKeys {
  const known = new LRUCache<string, Entry>({ max: 1_000 });

  async function findNow(token: string): Promise<FeedKey | null> {
    const key = await keys.feedKeyByMac(peppers.map((pepper) => macOfKey(token, pepper)));
    // Only informs the administrator, so no push waits for it or fails with it.
    if (key?.state === 'active') keys.noteFeedKeyUsed(key.id).catch(() => {});
    return key;
  }

  function find(token: string): Promise<FeedKey | null> {
    const place = createHash('sha256').update(token).digest('base64');
    const held = known.get(place);
    const age = held === undefined ? 0 : clock.now() - held.at;
    // A clock that goes back must not prolong a cached answer.
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
    async authenticate(authorization, count) {
      if (count > 1) return invalid('The request has more than one Authorization header.');
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) return invalid('Send one header Authorization: Bearer svc_feed_….');
      if (checkKey(token) !== 'feed')
        return invalid('The key is not a feed key, or is mistyped: its checksum does not fit.');
      const key = await find(token);
      if (key === null) return invalid('The key is unknown.');
      return key.state === 'active'
        ? key
        : refuse('key-disabled', { detail: 'The feed key is revoked; mint a new one.' });
    },
  };
}

function invalid(detail: string): GatewayRefusal {
  return refuse('invalid-key', { detail, headers: ['WWW-Authenticate', 'Bearer realm="push-gateway"'] });
}

/** `forbidden` if the key may not push as `source`. */
export function refusalOfSource(key: FeedKey, source: string): GatewayRefusal | null {
  return forbidden(whyNotSource(key, source));
}

/** `forbidden` if the key lacks the scope that `what` needs. */
export function refusalOfScope(key: FeedKey, scope: FeedScope, what: string, source: string): GatewayRefusal | null {
  return forbidden(whyNotScope(key, scope, what, source));
}

/** The refusal if there is a reason. */
export function forbidden(why: string | null): GatewayRefusal | null {
  return why === null ? null : refuse('forbidden', { detail: why });
}
