// `sds feed-keys`: keys of the push gateway, each with its sources and scopes.
import { Command } from 'commander';
import { CommandFailure, confirm, print, sourceOf, withCatalogs } from '../command.ts';
import { mintFeedKey } from '../service/new-keys.ts';

const scopes = ['push', 'backfill'];

export function feedKeysCommand(): Command {
  const keys = new Command('feed-keys').description('keys of the push gateway');
  keys
    .command('mint')
    .description('mint a key; it is shown this one time')
    .requiredOption('--source <source,…>', 'sources it may push as; * for all')
    .option('--scope <scope,…>', 'push, backfill', 'push')
    .option('--json', 'print JSON')
    .action((options: { source: string; scope: string }, command: Command) =>
      withCatalogs(async ({ catalogs, peppers, actor }) => {
        const asked = options.scope.split(',');
        const unknown = asked.find((scope) => !scopes.includes(scope));
        if (unknown !== undefined)
          throw new CommandFailure('usage', `--scope has ${unknown}, and knows ${scopes.join(', ')}`);
        const sources = options.source === '*' ? ['*'] : options.source.split(',').map(sourceOf);
        const minted = await mintFeedKey(catalogs.keys, peppers, sources, asked);
        await catalogs.operations.audit(actor, 'feed-keys mint', minted.id, {
          sources: options.source,
          scopes: options.scope,
        });
        print(
          command,
          { feed_key_id: minted.id, feed_key: minted.plaintext },
          `${minted.plaintext}\n(feed key ${minted.id}; it cannot be shown again)`,
        );
      }),
    );
  keys
    .command('revoke')
    .description('end a feed key for good')
    .argument('<key>', 'feed key id')
    .option('--yes', 'do it without asking')
    .option('--json', 'print JSON')
    .action((id: string, options: { yes?: boolean }, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        await confirm(`feed key ${id} is revoked`, id, options.yes === true);
        if (!(await catalogs.keys.revokeFeedKey(id))) throw new CommandFailure('failed', `no active feed key ${id}`);
        await catalogs.operations.audit(actor, 'feed-keys revoke', id, {});
        print(command, { feed_key_id: id, state: 'revoked' }, `feed key ${id} is revoked`);
      }),
    );
  return keys;
}
