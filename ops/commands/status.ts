// `sds status`: how far the projectors are, how many games are live, what waits for a person.
import { Command } from 'commander';
import { print, table, withCatalogs } from '../command.ts';

export function statusCommand(): Command {
  return new Command('status')
    .description('lag, games, dead letters')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async ({ settings, catalogs }) => {
        const streams = await catalogs.operations.streams();
        const games = await catalogs.operations.gameCounts();
        const deadLetters = await catalogs.operations.countDeadLetters();
        const lag = Object.fromEntries(
          streams.map((stream) => [
            `${stream.projector}/${stream.partition}`,
            { next_offset: stream.nextOffset, owner_epoch: stream.ownerEpoch },
          ]),
        );
        const rows = streams.map((stream) => [
          stream.projector,
          stream.partition,
          stream.nextOffset,
          stream.ownerEpoch,
          stream.ownerId,
        ]);
        const text = [
          `${settings.edition} edition: ${games.games} games, ${games.live} live, ${deadLetters} dead letters`,
          table(['projector', 'partition', 'next offset', 'epoch', 'owner'], rows),
        ];
        print(
          command,
          { edition: settings.edition, lag, games, dead_letters: deadLetters, degraded: [] },
          text.join('\n'),
        );
      }),
    );
}
