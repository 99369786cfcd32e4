// Keys that the service creates itself: one PRO key printed at the first start; and at each start the two keys of a ready file and that of
// the demo's live page. The id of each is stored before the key exists, so that a killed process leaves an unknown key only until the next
// start.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unrestricted } from '../../core/access/feed-grant.ts';
import type { Pepper } from '../../core/access/key-format.ts';
import { feedScopes, type KeysCatalog, type StoredKey } from '../../core/ports/catalog/keys.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import { newUuid } from '../../platform/process/ids.ts';
import { checkOwnFolder } from '../../platform/process/own-folder.ts';
import { activeKeyCaps, newKey } from './new-keys.ts';
import { writeAtomically } from './write-atomically.ts';

export type ReadyFile = { pid: number; api_url: string; ingest_url: string; api_key: string; feed_key: string };

/** `minting`: the id of a key that was about to be created and may be unknown to the administrator. */
type Kept = { account: string; prefix: string; last4: string; minting?: string };

type Keys = Pick<
  KeysCatalog,
  'accounts' | 'createAccount' | 'addApiKey' | 'setKeyState' | 'addFeedKey' | 'revokeFeedKey'
>;

/**
 * The key of the first start: passed to `give` if it was created just now, otherwise its displayable part. `give` null: the plaintext must
 * not be shown, and goes to a file of its own.
 */
export async function firstKey(
  keys: Keys,
  peppers: readonly Pepper[],
  dataDir: string,
  give: ((plaintext: string) => void) | null,
): Promise<'given' | { file: string } | { shown: string }> {
  const file = join(dataDir, 'first-key.json');
  if (existsSync(file)) {
    const { minting, prefix, last4 } = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    if (minting === undefined) return { shown: `${prefix}…${last4}` };
    await keys.setKeyState(minting, 'revoked', 'start');
  }
  const account = await ownAccount(keys, 'first start');
  const { stored, plaintext } = newKey('live', peppers);
  const kept: Kept = { account, prefix: plaintext.slice(0, 13), last4: plaintext.slice(-4) };
  writeAtomically(file, `${JSON.stringify({ ...kept, minting: stored.id })}\n`);
  await addKey(keys, stored, account);
  const plain = join(dataDir, 'first-key');
  if (give === null) writeAtomically(plain, `${plaintext}\n`);
  else give(plaintext);
  writeAtomically(file, `${JSON.stringify(kept)}\n`);
  return give === null ? { file: plain } : 'given';
}

/** Checks at the start, not at the end, that a ready file can be written. @throws SettingError */
export function checkReadyFile(file: string): void {
  const folder = dirname(resolve(file));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    checkOwnFolder(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError(
      'SDS_READY_FILE',
      `is ${file}, and no file can be written there (${reason})`,
      './ready.json',
    );
  }
}

/** Mints the two keys of a ready file and writes it; revokes the keys of the previous file (docs/operations.md#ready-file). */
export async function writeReadyFile(
  file: string,
  keys: Keys,
  peppers: readonly Pepper[],
  dataDir: string,
  urls: { api_url: string; ingest_url: string },
): Promise<ReadyFile> {
  const memory = join(dataDir, 'ready-keys.json');
  if (existsSync(memory)) {
    const before = JSON.parse(readFileSync(memory, 'utf8')) as { api: string; feed: string };
    await keys.setKeyState(before.api, 'revoked', 'start');
    await keys.revokeFeedKey(before.feed);
  }
  const account = await ownAccount(keys, 'ready file');
  const [api, feed] = [newKey('live', peppers), newKey('feed', peppers)];
  writeAtomically(memory, `${JSON.stringify({ api: api.stored.id, feed: feed.stored.id })}\n`);
  await addKey(keys, api.stored, account);
  await keys.addFeedKey(feed.stored, unrestricted(['*'], feedScopes));
  const ready: ReadyFile = { pid: process.pid, ...urls, api_key: api.plaintext, feed_key: feed.plaintext };
  writeAtomically(file, `${JSON.stringify(ready)}\n`);
  return ready;
}

/** The key that the demo's live page offers; it is in no file. Revokes that of the previous start. */
export async function renewPageKey(keys: Keys, peppers: readonly Pepper[], dataDir: string): Promise<string> {
  const memory = join(dataDir, 'page-key.json');
  if (existsSync(memory)) {
    const before = JSON.parse(readFileSync(memory, 'utf8')) as { api: string };
    await keys.setKeyState(before.api, 'revoked', 'start');
  }
  const account = await ownAccount(keys, 'live page');
  const { stored, plaintext } = newKey('live', peppers);
  writeAtomically(memory, `${JSON.stringify({ api: stored.id })}\n`);
  await addKey(keys, stored, account);
  return plaintext;
}

async function addKey(keys: Keys, stored: StoredKey, account: string): Promise<void> {
  const answer = await keys.addApiKey(account, stored, activeKeyCaps);
  if (answer?.kind !== 'added') throw new Error(`no key for account ${account}: ${answer?.kind ?? 'no-account'}`);
}

/** The service's own account of this name, PRO and entitled; created if missing. */
async function ownAccount(keys: Keys, name: string): Promise<string> {
  const found = (await keys.accounts()).find((account) => account.name === name && account.tier === 'PRO');
  if (found !== undefined) return found.id;
  const id = newUuid();
  await keys.createAccount({ id, name, tier: 'PRO', entitled: true, monthlyRows: null });
  return id;
}
