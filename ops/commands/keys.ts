// `sds keys`: API keys of accounts. Only `mint` prints the plaintext, once.
import { Command } from 'commander';
import type { KeyState, KeysCatalog } from '../../core/ports/catalog/keys.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { activeKeyCaps, mintApiKey } from '../service/new-keys.ts';
import { CommandFailure, confirm, print, table, withCatalogs } from '../session/command.ts';

const moves = [
  ['revoke', 'revoked', 'revoke a key permanently'],
  ['suspend', 'suspended', 'refuse a key (403) until it is restored'],
  ['throttle', 'throttled', 'answer a key with 429 until it is restored'],
  ['restore', 'active', 'make a suspended or throttled key active again'],
] as const satisfies readonly (readonly [string, KeyState, string])[];

export function keysCommand(): Command {
  const keys = new Command('keys').description('API keys');
  keys
    .command('mint')
    .description('mint a key; it is shown only once')
    .option('--account <account>', 'account id; may be left out in the embedded edition if there is only one account')
    .option('--json', 'print JSON')
    .action((options: { account?: string }, command: Command) =>
      withCatalogs(async ({ settings, catalogs, peppers, actor }) => {
        const account = options.account ?? (await onlyAccount(catalogs.keys, settings));
        const minted = await mintApiKey(catalogs.keys, peppers(), account);
        if (minted.kind === 'no-account') throw new CommandFailure('failed', `no account ${account}`);
        if (minted.kind === 'cap-reached') throw full(minted.cap);
        await catalogs.operations.audit(actor, 'keys mint', minted.id, { account });
        const made = { key_id: minted.id, key: minted.plaintext, account_id: account, tier: minted.tier };
        print(command, made, `${made.key}\n(key ${made.key_id}, ${made.tier}; it cannot be shown again)`);
      }),
    );
  keys
    .command('list')
    .description('keys without their secrets')
    .option('--account <account>', 'of this account only')
    .option('--json', 'print JSON')
    .action((options: { account?: string }, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        if (options.account !== undefined && (await catalogs.keys.account(options.account)) === null)
          throw new CommandFailure('failed', `no account ${options.account}`);
        const all = await catalogs.keys.keys(options.account ?? null);
        const data = all.map((key) => ({
          key_id: key.id,
          account_id: key.accountId,
          shown: `${key.prefix}…${key.last4}`,
          pepper_version: key.pepperVersion,
          state: key.state,
          created_at: formatMicros(key.createdAt),
        }));
        print(
          command,
          { data },
          table(
            ['key', 'account', 'shown', 'pepper', 'state', 'created'],
            data.map((key) => [key.key_id, key.account_id, key.shown, key.pepper_version, key.state, key.created_at]),
          ),
        );
      }),
    );
  for (const [name, state, description] of moves) {
    keys
      .command(name)
      .description(description)
      .argument('<key>', 'key id')
      .option('--yes', 'do not ask for confirmation')
      .option('--json', 'print JSON')
      .action((id: string, options: { yes?: boolean }, command: Command) =>
        withCatalogs(async ({ catalogs, actor }) => {
          await confirm(`key ${id} becomes ${state}`, id, options.yes === true);
          const key = await moveKey(catalogs.keys, id, state, actor);
          if (key === null) throw new CommandFailure('failed', `no key ${id}, or it is already revoked`);
          print(command, { key_id: key.id, state: key.state }, `key ${key.id} is ${key.state}`);
        }),
      );
  }
  return keys;
}

/** The account of an embedded edition that has no other. @throws CommandFailure when it has to be named */
async function onlyAccount(keys: KeysCatalog, { edition }: Settings): Promise<string> {
  if (edition === 'distributed') throw new CommandFailure('usage', 'give --account: `./sds accounts list` shows them');
  const accounts = await keys.accounts();
  const [only] = accounts;
  if (only === undefined) throw new CommandFailure('failed', 'there is no account: `./sds accounts create` makes one');
  if (accounts.length === 1) return only.id;
  const named = accounts.map(({ id, name }) => `${id} (${name})`);
  throw new CommandFailure('usage', `give --account, one of ${named.join(', ')}`);
}

/** Changes a key's state; reactivating it counts against the cap of its tier. */
async function moveKey(keys: KeysCatalog, id: string, state: KeyState, actor: string) {
  if (state !== 'active') return keys.setKeyState(id, state, actor);
  const answer = await keys.restoreKey(id, activeKeyCaps, actor);
  if (answer?.kind === 'cap-reached') throw full(answer.cap);
  return answer?.key ?? null;
}

function full(cap: number): CommandFailure {
  const keys = `${cap} active ${cap === 1 ? 'key' : 'keys'}`;
  return new CommandFailure('refused', `the account has ${keys}, as many as its tier allows; revoke one first`);
}
