// `sds usage`: what an account was charged in a month, item by item; the items add up to its `used_rows`.
import { Command } from 'commander';
import { CommandFailure, print, table, withCatalogs } from '../session/command.ts';

export function usageCommand(): Command {
  return new Command('usage')
    .description('what an account was charged in a month')
    .requiredOption('--account <account>', 'account id')
    .option('--month <YYYY-MM>', 'a month (UTC) that is still kept; default: the present one')
    .option('--json', 'print JSON')
    .action((options: { account: string; month?: string }, command: Command) => {
      const { month } = options;
      if (month !== undefined && !/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(month))
        throw new CommandFailure('usage', `--month is ${month}, and must be a month as in 2026-08`);
      return withCatalogs(async ({ catalogs }) => {
        const account = await catalogs.keys.account(options.account);
        if (account === null) throw new CommandFailure('failed', `no account ${options.account}`);
        const usage = await catalogs.ledger.items(account.id, month ?? null);
        const items = usage.items.map(({ kind, gameId, dataset, reads, rows }) => ({
          kind,
          game_id: gameId,
          dataset,
          reads,
          rows,
        }));
        const lines = usage.items.map(({ kind, gameId, dataset, reads, rows }) => [gameId, dataset, kind, reads, rows]);
        const quota = account.monthlyRows === null ? 'no quota' : `of ${account.monthlyRows} rows`;
        const text = [
          `account ${account.id} (${account.name}), ${usage.month}: ${usage.usedRows} rows used, ${quota}`,
          ...(lines.length === 0 ? [] : [table(['game', 'dataset', 'kind', 'charged reads', 'rows'], lines)]),
        ];
        const value = { account_id: account.id, month: usage.month, used_rows: usage.usedRows, items };
        print(command, value, text.join('\n'));
      });
    });
}
