// A feed key that the service creates for a part of its own at each start. Its id is stored before the key exists, so that a killed process
// leaves a key behind only until the next start.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pepper } from '../../core/access/key-format.ts';
import type { FeedGrant, KeysCatalog } from '../../core/ports/catalog/keys.ts';
import { newKey } from './new-keys.ts';
import { writeAtomically } from './write-atomically.ts';

type OwnFeedKey = { id: string; plaintext: string };

type Keys = Pick<KeysCatalog, 'addFeedKey' | 'revokeFeedKey'>;

/** Revokes the key that an earlier start created for `part`, and creates a new one. */
export async function renewFeedKey(
  keys: Keys,
  peppers: readonly Pepper[],
  dataDir: string,
  part: string,
  grant: FeedGrant,
): Promise<OwnFeedKey> {
  const file = join(dataDir, `${part}-key.json`);
  if (existsSync(file)) {
    const before = JSON.parse(readFileSync(file, 'utf8')) as { feed_key_id: string };
    await keys.revokeFeedKey(before.feed_key_id);
  }
  const { stored, plaintext } = newKey('feed', peppers);
  writeAtomically(file, `${JSON.stringify({ feed_key_id: stored.id })}\n`);
  await keys.addFeedKey(stored, grant);
  return { id: stored.id, plaintext };
}
