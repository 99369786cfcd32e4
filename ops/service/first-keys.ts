// Keys that the service creates itself: one PRO key printed at the first start; new at each start, the two keys of a ready file and that of the
// demo's live page.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unrestricted } from '../../core/access/feed-grant.ts';
import type { Pepper } from '../../core/access/key-format.ts';
import { feedScopes, type KeysCatalog } from '../../core/ports/catalog/keys.ts';
import { SettingError } from '../../platform/config/setting-error.ts';
import { newUuid } from '../../platform/process/ids.ts';
import { checkOwnFolder } from '../../platform/process/own-folder.ts';
import { mintApiKey, mintFeedKey } from './new-keys.ts';
import { writeAtomically } from './write-atomically.ts';

export type ReadyFile = { pid: number; api_url: string; ingest_url: string; api_key: string; feed_key: string };

type Kept = { account: string; prefix: string; last4: string };

/**
 * The key of the first start: its plaintext if it was created just now, otherwise its displayable part. Where the plaintext may not be
 * shown, it goes to a file of its own.
 */
export async function firstKey(
  keys: KeysCatalog,
  peppers: readonly Pepper[],
  dataDir: string,
  mayShow: boolean,
): Promise<{ plaintext: string } | { file: string } | { shown: string }> {
  const file = join(dataDir, 'first-key.json');
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return { shown: `${kept.prefix}…${kept.last4}` };
  }
  const account = await ownAccount(keys, 'first start');
  const plaintext = await mintFor(keys, peppers, account);
  const kept: Kept = { account, prefix: plaintext.slice(0, 13), last4: plaintext.slice(-4) };
  const plain = join(dataDir, 'first-key');
  if (!mayShow) writeAtomically(plain, `${plaintext}\n`);
  writeAtomically(file, `${JSON.stringify(kept)}\n`);
  return mayShow ? { plaintext } : { file: plain };
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
  keys: KeysCatalog,
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
  const minted = await mintApiKey(keys, peppers, await ownAccount(keys, 'ready file'));
  if (minted.kind !== 'minted') throw new Error(`no key for the ready file: ${minted.kind}`);
  const feed = await mintFeedKey(keys, peppers, unrestricted(['*'], feedScopes));
  writeAtomically(memory, `${JSON.stringify({ api: minted.id, feed: feed.id })}\n`);
  const ready: ReadyFile = { pid: process.pid, ...urls, api_key: minted.plaintext, feed_key: feed.plaintext };
  writeAtomically(file, `${JSON.stringify(ready)}\n`);
  return ready;
}

/** The key that the live page of the demo has filled in: it stands in no file. Revokes that of the previous start. */
export async function renewPageKey(keys: KeysCatalog, peppers: readonly Pepper[], dataDir: string): Promise<string> {
  const memory = join(dataDir, 'page-key.json');
  if (existsSync(memory)) {
    const before = JSON.parse(readFileSync(memory, 'utf8')) as { api: string };
    await keys.setKeyState(before.api, 'revoked', 'start');
  }
  const minted = await mintApiKey(keys, peppers, await ownAccount(keys, 'live page'));
  if (minted.kind !== 'minted') throw new Error(`no key for the live page: ${minted.kind}`);
  writeAtomically(memory, `${JSON.stringify({ api: minted.id })}\n`);
  return minted.plaintext;
}

async function mintFor(keys: KeysCatalog, peppers: readonly Pepper[], account: string): Promise<string> {
  const minted = await mintApiKey(keys, peppers, account);
  if (minted.kind !== 'minted') throw new Error(`no key for account ${account}: ${minted.kind}`);
  return minted.plaintext;
}

/** The service's own account of this name, PRO and entitled; created if missing. */
async function ownAccount(keys: KeysCatalog, name: string): Promise<string> {
  const found = (await keys.accounts()).find((account) => account.name === name && account.tier === 'PRO');
  if (found !== undefined) return found.id;
  const id = newUuid();
  await keys.createAccount({ id, name, tier: 'PRO', entitled: true, monthlyRows: null });
  return id;
}
