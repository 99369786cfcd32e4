// `sds games status`: sets a game's status manually, when no feed reports it or one reported it wrongly. A record in their logs informs the
// folds of the game's quotes and of its MSF observations, so that a replay closes the game at the same point and treats MSF's next status
// alike.
import { Command } from 'commander';
import { hasEnded, isStatus, statuses } from '../../core/games/status.ts';
import { movesByHand } from '../../core/games/status-moves.ts';
import { CommandFailure, confirm, print, withCatalogs } from '../session/command.ts';

export function gamesStatusCommand(): Command {
  return new Command('status')
    .description('set the status of a game manually')
    .argument('<game>', 'public id or UUID')
    .argument('<status>', statuses.join(', '))
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((id: string, asked: string, options: { yes?: true }, command: Command) =>
      withCatalogs(async ({ catalogs: { games }, actor }) => {
        const to = asked.toUpperCase();
        if (!isStatus(to))
          throw new CommandFailure('usage', `${asked} is not a status; use one of ${statuses.join(', ')}`);
        const game = await games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const { gameId, status: from, settled } = game;
        if (!isStatus(from)) throw new Error(`the catalog has a status ${from}`);
        const allowed = movesByHand(from);
        if (!allowed.includes(to)) {
          const may = allowed.length === 0 ? 'stays so' : `may become ${allowed.join(', ')}`;
          throw new CommandFailure('refused', `${gameId} is ${from} and does not become ${to}: it ${may}`);
        }
        const rest = settled
          ? 'its final files stay'
          : hasEnded(to)
            ? 'it closes after ten minutes of log time'
            : 'the next different status from a feed replaces it';
        await confirm(`${gameId} is ${from} and becomes ${to}; ${rest}`, gameId, options.yes === true);
        const isMoved = await games.moveStatus({ game, from, to, actor });
        if (!isMoved)
          throw new CommandFailure('failed', `${gameId} is no longer ${from}: check it again with ./sds games show`);
        print(command, { game_id: gameId, from, status: to }, `${gameId} is ${to}; ${rest}`);
      }),
    );
}
