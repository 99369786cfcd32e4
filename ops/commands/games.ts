// `sds games`: the catalog's games.
import { Command } from 'commander';
import { shownStatus } from '../../core/games/shown-status.ts';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { CommandFailure, leagueOf, print, table, wholeNumber, withCatalogs } from '../session/command.ts';
import { diffCommand } from './games-diff.ts';
import { removeRowsCommand } from './games-remove-rows.ts';
import { settleCommand } from './games-settle.ts';
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
        const query = {
          league: options.league === undefined ? null : leagueOf(options.league),
          status: null,
          dateFrom: null,
          dateTo: null,
          team: null,
          after: null,
        };
        const found = await catalogs.games.list({ ...query, limit });
        const rows = found.map((game) => [
          game.gameId,
          game.gameDate,
          formatMicros(game.scheduledStart),
          shownStatus(game),
          `${game.awayName} at ${game.homeName}`,
        ]);
        print(command, { data: found.map(members) }, table(['game', 'date', 'start', 'status', 'teams'], rows));
      }),
    );
  games
    .command('show')
    .description('one game, its log and its final files')
    .argument('<game>', 'public id or UUID')
    .option('--json', 'print JSON')
    .action((id: string, _options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const game = await catalogs.games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const log = await catalogs.live.servedLog(game.uuid);
        const facts =
          log === null
            ? null
            : {
                generation: log.generation,
                version: log.version,
                rows: log.rows,
                segments: log.closed.length + (log.tail === null ? 0 : 1),
                operators: Object.keys(log.operators),
              };
        const text = [
          `${game.gameId}  ${game.awayName} at ${game.homeName}`,
          `start ${formatMicros(game.scheduledStart)}, ${shownStatus(game)}, founded by ${game.founderSource}`,
        ];
        if (facts !== null)
          text.push(
            `log ${facts.generation}, version ${facts.version}: ${facts.rows} rows in ${facts.segments} segments, ${facts.operators.length} operators`,
          );
        const events = (await catalogs.games.eventsOf(game.uuid)).map(({ source, eventId, commenceTime }) => {
          return { source, event_id: eventId, commence_time: formatMicros(commenceTime) };
        });
        for (const { source, event_id, commence_time } of events)
          text.push(`event ${event_id} of ${source}, start ${commence_time}`);
        const { artifacts } = await catalogs.artifacts.served(game.uuid);
        const finals = artifacts.map(({ dataset, version, rows, landedAt, reason }) => ({
          dataset,
          version,
          rows,
          landed_at: formatMicros(landedAt),
          reason,
        }));
        for (const { dataset, version, rows, landed_at, reason } of finals)
          text.push(`final ${dataset}: version ${version}, ${rows} rows, landed ${landed_at} (${reason})`);
        print(command, { ...members(game), log: facts, events, finals }, text.join('\n'));
      }),
    );
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

function members(game: CatalogGame): Record<string, unknown> {
  const { uuid, gameId, league, gameDate, homeName, awayName, founderSource } = game;
  return {
    id: gameId,
    uuid,
    league,
    game_date: gameDate,
    scheduled_start: formatMicros(game.scheduledStart),
    status: shownStatus(game),
    home_team: homeName,
    away_team: awayName,
    founder_source: founderSource,
  };
}
