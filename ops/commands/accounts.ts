// `sds accounts`: the accounts that own keys, their tiers and entitlements.
import { Command, Option } from 'commander';
import { type Account, type Tier, tiers } from '../../core/ports/catalog/keys.ts';
import { newUuid } from '../../platform/process/ids.ts';
import { activeKeyCaps } from '../service/new-keys.ts';
import { CommandFailure, print, table, withCatalogs } from '../session/command.ts';

type Changes = { tier?: Tier; entitled?: 'yes' | 'no'; monthlyRows?: string };

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('accounts and their tiers');
  accounts
    .command('create')
    .description('create an entitled account')
    .requiredOption('--name <name>', 'name of the owner')
    .addOption(new Option('--tier <tier>', 'its plan').choices(tiers).makeOptionMandatory())
    .option('--json', 'print JSON')
    .action((options: { name: string; tier: Tier }, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        if (options.name.trim() === '') throw new CommandFailure('usage', '--name is empty');
        const account: Account = {
          id: newUuid(),
          name: options.name,
          tier: options.tier,
          entitled: true,
          monthlyRows: null,
        };
        await catalogs.keys.createAccount(account);
        await catalogs.operations.audit(actor, 'accounts create', account.id, {
          name: account.name,
          tier: account.tier,
        });
        show(command, account);
      }),
    );
  accounts
    .command('show')
    .description('one account, or all of them')
    .argument('[account]', 'account id')
    .option('--json', 'print JSON')
    .action((id: string | undefined, _options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        if (id === undefined) return list(command, await catalogs.keys.accounts());
        show(command, found(await catalogs.keys.account(id), id));
      }),
    );
  accounts
    .command('list')
    .description('all accounts')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => list(command, await catalogs.keys.accounts())),
    );
  accounts
    .command('set')
    .description('change tier, entitlement or quota')
    .argument('<account>', 'account id')
    .addOption(new Option('--tier <tier>', 'its plan').choices(tiers))
    .addOption(new Option('--entitled <yes|no>', 'whether its subscription is active').choices(['yes', 'no']))
    .option('--monthly-rows <rows|none>', 'its monthly quota in rows')
    .option('--json', 'print JSON')
    .action((id: string, changes: Changes, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        if (changes.tier === undefined && changes.entitled === undefined && changes.monthlyRows === undefined)
          throw new CommandFailure('usage', 'nothing to set: give --tier, --entitled or --monthly-rows');
        const change = {
          ...(changes.tier === undefined ? {} : { tier: changes.tier }),
          ...(changes.entitled === undefined ? {} : { entitled: changes.entitled === 'yes' }),
          ...(changes.monthlyRows === undefined ? {} : { monthlyRows: quota(changes.monthlyRows) }),
        };
        const answer = await catalogs.keys.setAccount(id, change, activeKeyCaps);
        if (answer?.kind === 'over-cap') {
          const { active, cap } = answer;
          const remedy = `revoke ${active - cap} first`;
          throw new CommandFailure(
            'refused',
            `the account has ${active} active keys, that tier allows ${cap}; ${remedy}`,
          );
        }
        const account = found(answer?.account ?? null, id);
        const { monthlyRows: monthly_rows, ...rest } = change;
        await catalogs.operations.audit(actor, 'accounts set', id, { ...rest, monthly_rows });
        show(command, account);
      }),
    );
  return accounts;
}

function quota(text: string): number | null {
  if (text === 'none') return null;
  if (!/^[0-9]{1,15}$/.test(text))
    throw new CommandFailure('usage', `--monthly-rows is ${text}, and must be a number of rows or none`);
  return Number(text);
}

function found(account: Account | null, id: string): Account {
  if (account === null) throw new CommandFailure('failed', `no account ${id}`);
  return account;
}

function members(account: Account): Record<string, unknown> {
  return {
    account_id: account.id,
    name: account.name,
    tier: account.tier,
    entitled: account.entitled,
    monthly_rows: account.monthlyRows,
  };
}

function show(command: Command, account: Account): void {
  const quotaText = account.monthlyRows === null ? 'no quota' : `${account.monthlyRows} rows a month`;
  print(
    command,
    members(account),
    `account ${account.id} (${account.name}): ${account.tier}, ${account.entitled ? 'entitled' : 'not entitled'}, ${quotaText}`,
  );
}

function list(command: Command, accounts: readonly Account[]): void {
  const rows = accounts.map(({ id, tier, entitled, monthlyRows, name }) => {
    return [id, tier, entitled ? 'yes' : 'no', monthlyRows, name];
  });
  const heading = ['account', 'tier', 'entitled', 'monthly rows', 'name'];
  print(command, { data: accounts.map(members) }, table(heading, rows));
}
