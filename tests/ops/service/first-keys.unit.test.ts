// Claim: wherever a start is killed, the next one leaves of each kind exactly the keys that the administrator was shown: no other key stays
// active, and no printed key is lost.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'vitest';
import { macOfKey } from '../../../core/access/key-format.ts';
import type { Account, StoredKey } from '../../../core/ports/catalog/keys.ts';
import { firstKey, renewPageKey, writeReadyFile } from '../../../ops/service/first-keys.ts';

const pepper = { version: 1, secret: new Uint8Array(32) };
const urls = { api_url: 'http://127.0.0.1:1', ingest_url: 'http://127.0.0.1:2' };

class Killed extends Error {}

/** The keys of a catalog that outlives starts. `killedAt`: before or after the n-th key is added. */
class Keys {
  readonly active = new Map<string, string>();
  readonly #accounts: Account[] = [];
  killedAt: { add: number; when: 'before' | 'after' } | null = null;
  #added = 0;

  accounts = async () => this.#accounts;
  createAccount = async (account: Account) => void this.#accounts.push(account);
  addApiKey = async (_account: string, key: StoredKey) => {
    this.#add(key);
    return { kind: 'added', tier: 'PRO' } as const;
  };
  addFeedKey = async (key: StoredKey) => this.#add(key);
  setKeyState = async (id: string) => {
    this.active.delete(id);
    return null;
  };
  revokeFeedKey = async (id: string) => this.active.delete(id);

  starts(killedAt: Keys['killedAt']): void {
    this.#added = 0;
    this.killedAt = killedAt;
  }

  #add({ id, mac }: StoredKey): void {
    this.#added += 1;
    const dies = this.killedAt?.add === this.#added ? this.killedAt.when : null;
    if (dies === 'before') throw new Killed();
    this.active.set(id, Buffer.from(mac).toString('hex'));
    if (dies === 'after') throw new Killed();
  }
}

const macs = (...keys: readonly string[]) => keys.map((key) => Buffer.from(macOfKey(key, pepper)).toString('hex'));

let folder: string;
let keys: Keys;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sds-first-keys-'));
  keys = new Keys();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kills = [
  { add: 1, when: 'before' },
  { add: 1, when: 'after' },
  { add: 1, when: 'after' },
] as const;

it('the first key that the administrator was shown is the only active one, and later starts keep it', async () => {
  for (const kill of kills) {
    keys.starts(kill);
    await assert.rejects(
      firstKey(keys, [pepper], folder, () => assert.fail('given')),
      Killed,
    );
  }
  keys.starts(null);
  // Killed while printing the key: it is unknown whether anyone has read it.
  const dying = firstKey(keys, [pepper], folder, () => {
    throw new Killed();
  });
  await assert.rejects(dying, Killed);
  const shown: string[] = [];
  assert.equal(await firstKey(keys, [pepper], folder, (key) => shown.push(key)), 'given');
  assert.deepEqual([...keys.active.values()], macs(...shown));
  const [key = ''] = shown;
  const again = await firstKey(keys, [pepper], folder, () => assert.fail('told twice'));
  assert.deepEqual(again, { shown: `${key.slice(0, 13)}…${key.slice(-4)}` });
  assert.deepEqual([...keys.active.values()], macs(key));
});

it('a first key that may not be shown is in its file whenever it is the active one of a whole start', async () => {
  for (const kill of kills) {
    keys.starts(kill);
    await assert.rejects(firstKey(keys, [pepper], folder, null), Killed);
  }
  keys.starts(null);
  assert.deepEqual(await firstKey(keys, [pepper], folder, null), { file: join(folder, 'first-key') });
  assert.deepEqual([...keys.active.values()], macs(readFileSync(join(folder, 'first-key'), 'utf8').trim()));
});

it('of the page and of the ready file only the keys of the last start are active', async () => {
  const start = async () => {
    const page = await renewPageKey(keys, [pepper], folder);
    return { page, ready: await writeReadyFile(join(folder, 'ready.json'), keys, [pepper], folder, urls) };
  };
  for (const when of ['before', 'after'] as const)
    for (const add of [1, 2, 3]) {
      keys.starts({ add, when });
      await assert.rejects(start(), Killed);
    }
  keys.starts(null);
  const { page, ready } = await start();
  assert.deepEqual([...keys.active.values()], macs(page, ready.api_key, ready.feed_key));
});
