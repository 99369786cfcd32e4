// Plans a rebuild of logs: which are published, and whether the log still has all of their records. Changes nothing.
import type { Broker } from '../../core/ports/broker.ts';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import { wholeSince } from '../../projectors/worker/kept-log.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Catalogs } from '../service/catalogs.ts';
import { CommandFailure } from '../session/command.ts';

export type PlanTools = {
  catalogs: Pick<Catalogs, 'games' | 'live' | 'operations'>;
  broker: Pick<Broker, 'partitions' | 'partitionOf' | 'watermarks' | 'offsetAt'>;
};

/** The logs of one game, or of all unsettled games of a league or a partition. */
export type RebuildScope = { game: string } | { league: League } | { partition: number };

/** `records`: those of the partition that have to be read. */
export type PlannedRebuild = {
  game: CatalogGame;
  partition: number;
  generation: number;
  rows: number;
  records: number;
};

/** A game whose log cannot be rebuilt, and why. */
export type LeftOut = { gameId: string; reason: string };

export type RebuildPlan = { planned: readonly PlannedRebuild[]; leftOut: readonly LeftOut[] };

export function leftOutText({ gameId, reason }: LeftOut): string {
  return `${gameId} is left out: it ${reason}`;
}

/** @throws CommandFailure when nothing can be rebuilt */
export async function planRebuild(tools: PlanTools, asked: RebuildScope): Promise<RebuildPlan> {
  if ('game' in asked) {
    if ((await tools.catalogs.games.find(asked.game)) === null)
      throw new CommandFailure('failed', `no game ${asked.game}`);
    const { planned, leftOut } = await planRebuildsOf(tools, [asked.game]);
    const [lost] = leftOut;
    if (lost !== undefined) throw new CommandFailure('refused', `${lost.gameId} ${lost.reason}; nothing was done`);
    return { planned, leftOut };
  }
  const partitions = await tools.broker.partitions(topics.quotes);
  if ('partition' in asked && asked.partition >= partitions)
    throw new CommandFailure('failed', `no partition ${asked.partition}: ${topics.quotes} has ${partitions}`);
  const numbers = 'partition' in asked ? [asked.partition] : Array.from({ length: partitions }, (_, index) => index);
  const games: CatalogGame[] = [];
  for (const number of numbers) {
    for (const { gameUuid } of await tools.catalogs.live.publishedIn(number)) {
      const game = await tools.catalogs.games.find(gameUuid);
      if (game !== null && ('partition' in asked || game.league === asked.league)) games.push(game);
    }
  }
  return planGames(tools, games);
}

/** The rebuild of the logs of these games, without those that have settled or whose partition has halted meanwhile. */
export async function planRebuildsOf(tools: PlanTools, ids: readonly string[]): Promise<RebuildPlan> {
  const games: CatalogGame[] = [];
  const closed: LeftOut[] = [];
  for (const gameId of ids) {
    const game = await tools.catalogs.games.find(gameId);
    if (game === null) continue;
    const reason = await whyNoLiveLog(tools, game);
    if (reason === null) games.push(game);
    else closed.push({ gameId: game.gameId, reason });
  }
  const { planned, leftOut } = await planGames(tools, games);
  return { planned, leftOut: [...closed, ...leftOut] };
}

/** Why the game has no live log; null if it has one. */
async function whyNoLiveLog({ catalogs }: PlanTools, { uuid, gameId, settled }: CatalogGame): Promise<string | null> {
  if (settled)
    return `is settled, and its log is closed for ever: ./sds games settle ${gameId} --again makes its final files anew`;
  return (await catalogs.live.servedLog(uuid)) === null ? 'has no live log yet' : null;
}

async function planGames({ catalogs, broker }: PlanTools, games: readonly CatalogGame[]): Promise<RebuildPlan> {
  const planned: PlannedRebuild[] = [];
  const leftOut: LeftOut[] = [];
  const ends = new Map((await broker.watermarks(topics.quotes)).map((each) => [each.partition, each]));
  const streams = (await catalogs.operations.streams()).filter(({ projector }) => projector === 'live');
  const halted = new Map(streams.map((stream) => [stream.partition, stream.halted]));
  for (const game of games) {
    const { uuid, gameId } = game;
    const partition = await broker.partitionOf(topics.quotes, uuid);
    const log = await catalogs.live.servedLog(uuid);
    if (log === null) continue;
    const reason = halted.get(partition) ?? null;
    if (reason !== null) {
      leftOut.push({ gameId, reason: `is in partition ${partition}, which is halted: ${reason}` });
      continue;
    }
    const from = await wholeSince(broker, topics.quotes, partition, await catalogs.live.knownSince(uuid));
    const { low = 0, high = 0 } = ends.get(partition) ?? {};
    if (from === null) {
      const held = `partition ${partition} of ${topics.quotes} begins at offset ${low}`;
      leftOut.push({ gameId, reason: `cannot be rebuilt: ${held}, and older records of it may be deleted` });
      continue;
    }
    planned.push({ game, partition, generation: log.generation + 1, rows: log.rows, records: high - from });
  }
  return { planned, leftOut };
}
