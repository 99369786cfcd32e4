// `sds feed-keys`: keys of the push gateway and what each may do.
import { Command } from 'commander';
import type { FeedGrant, FeedScope, ListedFeedKey } from '../../core/ports/catalog/keys.ts';
import { feedScopes } from '../../core/ports/catalog/keys.ts';
import { operatorCodeOf } from '../../core/quotes/name-forms.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { mintFeedKey } from '../service/new-keys.ts';
import { CommandFailure, confirm, leagueOf, print, sourceOf, table, withCatalogs } from '../session/command.ts';
import { type FeedKeyUse, noUse, useByKey, useCells, useHeading } from './key-use.ts';

/** As many sportsbooks as a game may have. */
const mostOperators = 400;

type Asked = { source: string; scope: string; leagues?: string; operators?: string };

export function feedKeysCommand(): Command {
  const keys = new Command('feed-keys').description('keys of the push gateway');
  keys
    .command('mint')
    .description('mint a key; it is shown only once')
    .requiredOption('--source <source,…>', 'sources it may push as; * means all')
    .option('--scope <scope,…>', 'push (quotes), reference, msf, backfill', 'push')
    .option('--leagues <league,…>', 'leagues it may push; default: all')
    .option('--operators <operator,…>', 'sportsbooks it may push; default: all')
    .option('--json', 'print JSON')
    .action((options: Asked, command: Command) =>
      withCatalogs(async ({ catalogs, peppers, actor }) => {
        const grant = grantOf(options);
        const minted = await mintFeedKey(catalogs.keys, peppers(), grant);
        await catalogs.operations.audit(actor, 'feed-keys mint', minted.id, { ...grant });
        print(
          command,
          { feed_key_id: minted.id, feed_key: minted.plaintext },
          `${minted.plaintext}\n(feed key ${minted.id}; it cannot be shown again)`,
        );
      }),
    );
  keys
    .command('list')
    .description('feed keys without their secrets, and what each used on this UTC day')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const found = await catalogs.keys.feedKeys();
        const uses = useByKey(await catalogs.feedUse.today());
        const warnings = found.flatMap((key) => warningOf(key) ?? []);
        print(
          command,
          { data: found.map((key) => ({ ...documentOf(key), today: uses.get(key.id) ?? noUse() })), warnings },
          [
            table(
              [
                'feed key',
                'shown',
                'pepper',
                'sources',
                'scopes',
                'leagues',
                'operators',
                'state',
                'created',
                'last used',
              ],
              found.map((key) => [
                key.id,
                `…${key.last4}`,
                key.pepperVersion,
                key.sources.join(','),
                key.scopes.join(','),
                key.leagues?.join(',') ?? 'all',
                key.operators?.join(',') ?? 'all',
                key.state,
                formatMicros(key.createdAt),
                key.lastUsedAt === null ? null : formatMicros(key.lastUsedAt),
              ]),
            ),
            ...usedToday(uses),
            ...warnings.map((warning) => `\nwarning: ${warning}`),
          ].join('\n'),
        );
      }),
    );
  keys
    .command('revoke')
    .description('revoke a feed key permanently')
    .argument('<key>', 'feed key id')
    .option('--yes', 'do not ask for confirmation')
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

function usedToday(uses: ReadonlyMap<string, FeedKeyUse>): string[] {
  if (uses.size === 0) return [];
  const rows = [...uses].map(([id, use]) => [id, ...useCells(use)]);
  return ['\non this UTC day:', table(['feed key', ...useHeading], rows)];
}

function grantOf({ source, scope, leagues, operators }: Asked): FeedGrant {
  return {
    sources: source === '*' ? ['*'] : listOf(source, sourceOf),
    scopes: listOf(scope, scopeOf),
    leagues: leagues === undefined ? null : listOf(leagues, leagueOf),
    operators: operators === undefined ? null : operatorsOf(operators),
  };
}

/** The values of a comma-separated list, without duplicates. */
function listOf<Read>(list: string, read: (name: string) => Read): Read[] {
  return [...new Set(list.split(',').map((name) => read(name.trim())))];
}

function scopeOf(text: string): FeedScope {
  const scope = feedScopes.find((known) => known === text);
  if (scope !== undefined) return scope;
  throw new CommandFailure('usage', `--scope has ${text || 'an empty name'}, and knows ${feedScopes.join(', ')}`);
}

/** Sportsbook codes, however their names are written. */
function operatorsOf(list: string): string[] {
  const codes = listOf(list, (name) => {
    const code = operatorCodeOf(name);
    if (code !== null) return code;
    throw new CommandFailure(
      'usage',
      `--operators has ${name || 'an empty name'}, and an operator is of [A-Za-z0-9_]{1,32}`,
    );
  });
  if (codes.length <= mostOperators) return codes;
  throw new CommandFailure('usage', `--operators has ${codes.length} names, and takes at most ${mostOperators}`);
}

function documentOf(key: ListedFeedKey) {
  return {
    feed_key_id: key.id,
    shown: `…${key.last4}`,
    pepper_version: key.pepperVersion,
    sources: key.sources,
    scopes: key.scopes,
    leagues: key.leagues,
    operators: key.operators,
    state: key.state,
    created_at: formatMicros(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : formatMicros(key.lastUsedAt),
    inherited_scopes: key.inheritedScopes,
  };
}

/** A warning for a key that may do more than its owner asked for, because it was created before scopes existed. */
function warningOf({ id, state, sources, inheritedScopes }: ListedFeedKey): string | null {
  if (state !== 'active' || inheritedScopes.length === 0) return null;
  const scopes = inheritedScopes.join(' and ');
  return `feed key ${id} (${sources.join(',')}) has ${scopes} only because it was created before these scopes existed: mint a key with the scopes that its sender needs, and revoke this one`;
}
