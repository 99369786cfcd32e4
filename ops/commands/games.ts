// `sds games`: the catalog's games.
import { Command } from 'commander';
import { shownStatus } from '../../core/games/shown-status.ts';
import { anyGame } from '../../core/ports/catalog/games.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { leagueOf, print, table, wholeNumber, withCatalogs } from '../session/command.ts';
import { diffCommand } from './games-diff.ts';
import { removeRowsCommand } from './games-remove-rows.ts';
import { settleCommand } from './games-settle.ts';
import { membersOfGame, showCommand } from './games-show.ts';
import { gamesStatusCommand } from './games-status.ts';
import { unbindCommand } from './games-unbind.ts';

export function gamesCommand(): Command {
  const games = new Command('games').description('games of the catalog');
  games
    .command('list')
    .description('games by date')
    .option('--league <league>', 'of this league only')
    .option('--limit <n>', 'at most this many', '1000')
    .option('--json', 'print JSON')
    .action((options: { league?: string; limit: string }, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const limit = wholeNumber('--limit', options.limit, 1, 10_000);
        const league = options.league === undefined ? null : leagueOf(options.league);
        const found = await catalogs.games.list({ ...anyGame, league, limit });
        const rows = found.map((game) => [
          game.gameId,
          game.gameDate,
          formatMicros(game.scheduledStart),
          shownStatus(game),
          `${game.awayName} at ${game.homeName}`,
        ]);
        print(command, { data: found.map(membersOfGame) }, table(['game', 'date', 'start', 'status', 'teams'], rows));
      }),
    );
  games.addCommand(showCommand());
  games
    .command('unresolved')
    .description('games without a public id, because a team name is unknown; ./sds teams alias mints them')
    .option('--league <league>', 'of this league only')
    .option('--limit <n>', 'at most this many', '1000')
    .option('--json', 'print JSON')
    .action((options: { league?: string; limit: string }, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const limit = wholeNumber('--limit', options.limit, 1, 10_000);
        const league = options.league === undefined ? null : leagueOf(options.league);
        const data = (await catalogs.games.unresolved(league, limit)).map((game) => ({
          id: game.uuid,
          league: game.league,
          away_team: game.awayName,
          home_team: game.homeName,
          scheduled_start: formatMicros(game.scheduledStart),
          founder_source: game.founderSource,
        }));
        const heading = ['game', 'league', 'away', 'home', 'start', 'founded by'];
        print(command, { data }, table(heading, data.map(Object.values) as string[][]));
      }),
    );
  games.addCommand(gamesStatusCommand());
  games.addCommand(unbindCommand());
  games.addCommand(settleCommand());
  games.addCommand(diffCommand());
  games.addCommand(removeRowsCommand());
  return games;
}
