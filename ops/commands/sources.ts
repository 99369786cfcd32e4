// `sds sources`: who delivers, and which source owns an operator's offer in a game.
import { Command } from 'commander';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import { operatorCodeOf } from '../../core/quotes/names.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { topics } from '../../schemas/events/topics.ts';
import { CommandFailure, confirm, print, sourceOf, table, withCatalogs } from '../command.ts';

export function sourcesCommand(): Command {
  const sources = new Command('sources').description('who delivers quotes');
  sources
    .command('list')
    .description('sources that have pushed')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const data = (await catalogs.pushes.sources()).map((source) => ({
          source: source.source,
          first_seen: formatMicros(source.firstSeen),
          last_seen: formatMicros(source.lastSeen),
          pushes: source.pushes,
        }));
        print(
          command,
          { data },
          table(
            ['source', 'first seen', 'last seen', 'pushes'],
            data.map((source) => [source.source, source.first_seen, source.last_seen, source.pushes]),
          ),
        );
      }),
    );
  sources
    .command('assign')
    .description("make a source the owner of an operator's offer in a game")
    .argument('<game>', 'public id or UUID')
    .argument('<operator>', 'operator code')
    .argument('<source>', 'the new owner')
    .option('--yes', 'do it without asking')
    .option('--json', 'print JSON')
    .action((id: string, operator: string, named: string, options: { yes?: boolean }, command: Command) =>
      withCatalogs(async ({ catalogs, broker, actor }) => {
        const source = sourceOf(named);
        const game = await catalogs.games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const code = operatorCodeOf(operator);
        if (code === null) throw new CommandFailure('usage', `${operator} is no operator code`);
        await confirm(`from now on ${source} owns ${code} in ${game.gameId}`, game.gameId, options.yes === true);
        await catalogs.operations.audit(actor, 'sources assign', game.gameId, { operator: code, source });
        const record = {
          ...blankRecord(game, source, systemClock.now()),
          owner: { operator: code, owner_source: source },
        };
        await (await broker()).produce(topics.quotes, [{ key: game.uuid, value: record }]);
        print(command, { game_id: game.gameId, operator: code, source }, `${source} owns ${code} in ${game.gameId}`);
      }),
    );
  return sources;
}
