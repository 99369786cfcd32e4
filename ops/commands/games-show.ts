// `sds games show`: one game with its partitions, its live log, its events and its final files.
import { Command } from 'commander';
import { shownStatus } from '../../core/games/shown-status.ts';
import { partitionOfKey } from '../../core/partition-of-key.ts';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import { inOneLine } from '../../core/printable.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { growingTopics } from '../../schemas/events/topics.ts';
import type { Catalogs } from '../service/catalogs.ts';
import { CommandFailure, print, withCatalogs } from '../session/command.ts';

export function showCommand(): Command {
  return new Command('show')
    .description('one game, its partitions, its log and its final files')
    .argument('<game>', 'public id or UUID')
    .option('--json', 'print JSON')
    .action((id: string, _options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const game = await catalogs.games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const partitions = await partitionsOf(catalogs, game);
        const log = await logOf(catalogs, game);
        const events = await eventsOf(catalogs, game);
        const finals = await finalsOf(catalogs, game);
        const text = [
          inOneLine(`${game.gameId}  ${game.awayName} at ${game.homeName}`),
          `start ${formatMicros(game.scheduledStart)}, ${shownStatus(game)}, founded by ${game.founderSource}`,
          ...partitions.map(({ topic, partition, of }) => `partition ${partition} of the ${of} of ${topic}`),
        ];
        if (log !== null)
          text.push(
            `log ${log.generation}, version ${log.version}: ${log.rows} rows in ${log.segments} segments, ${log.operators.length} operators`,
          );
        for (const { source, event_id, commence_time } of events)
          text.push(inOneLine(`event ${event_id} of ${source}, start ${commence_time}`));
        for (const { dataset, version, rows, landed_at, reason } of finals)
          text.push(`final ${dataset}: version ${version}, ${rows} rows, landed ${landed_at} (${reason})`);
        print(command, { ...membersOfGame(game), partitions, log, events, finals }, text.join('\n'));
      }),
    );
}

export function membersOfGame(game: CatalogGame): Record<string, unknown> {
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

/** `of`: among how many the game's layout divides games. None while no process of a release with layouts has opened the log. */
async function partitionsOf({ logLayouts }: Catalogs, { uuid }: CatalogGame) {
  const found: { topic: string; partition: number; of: number }[] = [];
  for (const topic of growingTopics) {
    const of = (await logLayouts.placing(topic, [uuid])).counts.get(uuid);
    if (of !== undefined) found.push({ topic, partition: partitionOfKey(uuid, of), of });
  }
  return found;
}

async function logOf({ live }: Catalogs, { uuid }: CatalogGame) {
  const log = await live.servedLog(uuid);
  if (log === null) return null;
  const { generation, version, rows, closed, tail } = log;
  const segments = closed.length + (tail === null ? 0 : 1);
  return { generation, version, rows, segments, operators: Object.keys(log.operators) };
}

async function eventsOf({ games }: Catalogs, { uuid }: CatalogGame) {
  return (await games.eventsOf(uuid)).map(({ source, eventId, commenceTime }) => ({
    source,
    event_id: eventId,
    commence_time: formatMicros(commenceTime),
  }));
}

async function finalsOf({ artifacts }: Catalogs, { uuid }: CatalogGame) {
  const served = await artifacts.served(uuid);
  return served.artifacts.map(({ dataset, version, rows, landedAt, reason }) => ({
    dataset,
    version,
    rows,
    landed_at: formatMicros(landedAt),
    reason,
  }));
}
