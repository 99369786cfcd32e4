// Mints keys. The plaintext exists only here, once, on its way to the caller.
import {
  displayOfKey,
  type KeyKind,
  macOfKey,
  mintKey,
  type Pepper,
  randomBytesPerKey,
} from '../../core/access/key-format.ts';
import { tierTerms } from '../../core/limits/tier-limits.ts';
import type { FeedGrant, KeyCaps, KeysCatalog, StoredKey, Tier } from '../../core/ports/catalog/keys.ts';
import { newSecret, newUuid } from '../../platform/process/ids.ts';

/** Most active keys of an account, per tier; null: no cap. */
export const activeKeyCaps: KeyCaps = {
  DEMO: tierTerms.DEMO.activeKeys,
  BETA: tierTerms.BETA.activeKeys,
  STARTER: tierTerms.STARTER.activeKeys,
  PRO: tierTerms.PRO.activeKeys,
};

type Minted = { plaintext: string; stored: StoredKey };

/** A new key and its stored form. */
export function newKey(kind: KeyKind, peppers: readonly Pepper[]): Minted {
  const [pepper] = peppers;
  if (pepper === undefined) throw new Error('there is no pepper to store a key under');
  const plaintext = mintKey(kind, newSecret(randomBytesPerKey));
  const id = `${kind === 'live' ? 'key' : 'fkey'}_${newUuid().replaceAll('-', '').slice(0, 20)}`;
  return {
    plaintext,
    stored: { id, mac: macOfKey(plaintext, pepper), pepperVersion: pepper.version, ...displayOfKey(plaintext) },
  };
}

/** Adds an active feed key with the rights of `grant`. */
export async function mintFeedKey(
  keys: Pick<KeysCatalog, 'addFeedKey'>,
  peppers: readonly Pepper[],
  grant: FeedGrant,
): Promise<{ id: string; plaintext: string }> {
  const minted = newKey('feed', peppers);
  await keys.addFeedKey(minted.stored, grant);
  return { id: minted.stored.id, plaintext: minted.plaintext };
}

/** Adds an API key for `accountId`; the catalog may refuse. */
export async function mintApiKey(
  keys: KeysCatalog,
  peppers: readonly Pepper[],
  accountId: string,
): Promise<
  | { kind: 'minted'; id: string; plaintext: string; tier: Tier }
  | { kind: 'cap-reached'; cap: number }
  | { kind: 'no-account' }
> {
  const { stored, plaintext } = newKey('live', peppers);
  const answer = await keys.addApiKey(accountId, stored, activeKeyCaps);
  if (answer === null) return { kind: 'no-account' };
  return answer.kind === 'added' ? { kind: 'minted', id: stored.id, plaintext, tier: answer.tier } : answer;
}
