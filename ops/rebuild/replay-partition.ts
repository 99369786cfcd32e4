// Folds a range of a partition's log into a shadow and compares it with what is served. Changes nothing. Games with records outside the
// range are left out, because their fold would begin in the middle.
import type { Broker } from '../../core/ports/broker.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import { runToEnd } from '../../core/scheduling/task.ts';
import { keptRecords, wholeSince } from '../../projectors/worker/kept-log.ts';
import type { Patience } from '../../projectors/worker/patience.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Catalogs } from '../service/catalogs.ts';
import { type CompareTools, LogComparison } from './compare-log.ts';
import type { LeftOut } from './plan-rebuild.ts';
import { ShadowLogs } from './shadow-logs.ts';

export type ReplayTools = Pick<CompareTools, 'objects' | 'parquet'> & {
  catalogs: Pick<Catalogs, 'games' | 'live' | 'checkpoints'>;
  broker: Pick<Broker, 'watermarks' | 'offsetAt' | 'read'>;
  patience: Patience;
};

/** Offsets [from, to). `toEnd`: continues to the checkpoint, so that the open segments and the boards can be compared too. */
export type Range = { partition: number; from: number; to: number; toEnd: boolean };

export type ComparedGame = { gameId: string; comparison: LogComparison };

/** `to`: how far it was folded. `boards`: whether they were compared. */
export type Replayed = {
  partition: number;
  from: number;
  to: number;
  boards: boolean;
  games: ComparedGame[];
  leftOut: LeftOut[];
};

/** A busy partition advances while its logs are read; it only stands still between two flushes. */
const mostTries = 40;

export async function replayPartition(
  tools: ReplayTools,
  range: Range,
  progress: (records: number) => void,
): Promise<Replayed> {
  const { catalogs, broker, patience } = tools;
  const { partition, from } = range;
  const { whole, leftOut } = await gamesOf(tools, range);
  const shadow = new ShadowLogs(partition, new Set(whole.keys()));
  const compare: CompareTools = { ...tools, servedLog: (uuid) => catalogs.live.servedLog(uuid) };
  const games = new Map(
    [...whole].map(([uuid, gameId]) => [uuid, { gameId, comparison: new LogComparison(compare, uuid) }]),
  );
  let folded = from;
  const foldTo = async (to: number): Promise<void> => {
    for await (const records of keptRecords(patience, broker, topics.quotes, partition, folded, to)) {
      patience.givenUp?.throwIfAborted();
      runToEnd(shadow.folding(records));
      for (const { uuid, rows } of shadow.takeClosed()) await games.get(uuid)?.comparison.closed(rows);
      progress(records.length);
    }
    folded = Math.max(folded, to);
  };
  await foldTo(range.to);
  const served = range.toEnd ? await servedAt(tools, partition, [...whole.keys()], foldTo) : null;
  for (const [uuid, { comparison }] of games) {
    const log = served?.get(uuid) ?? null;
    await comparison.open(shadow.open(uuid), log);
    if (log !== null) await comparison.boards(shadow.boards(uuid), log);
  }
  return { partition, from, to: folded, boards: served !== null, games: [...games.values()], leftOut };
}

/** The served logs, all as of the folded offset; null if the partition did not stand still. */
async function servedAt(
  { catalogs, patience }: ReplayTools,
  partition: number,
  uuids: readonly string[],
  foldTo: (to: number) => Promise<void>,
): Promise<ReadonlyMap<string, ServedLog> | null> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const at = await checkpointOf(catalogs, partition);
    await foldTo(at);
    const logs = new Map<string, ServedLog>();
    for (const uuid of uuids) {
      const log = await catalogs.live.servedLog(uuid);
      if (log !== null) logs.set(uuid, log);
    }
    if ((await checkpointOf(catalogs, partition)) === at) return logs;
    patience.givenUp?.throwIfAborted();
  }
  return null;
}

/** The partition's next uncommitted offset. */
export async function checkpointOf({ checkpoints }: Pick<Catalogs, 'checkpoints'>, partition: number): Promise<number> {
  return (await checkpoints.nextOffsets('live', topics.quotes)).get(partition) ?? 0;
}

/** The games with a live log all of whose records are in the range, by UUID, and the others. */
async function gamesOf({ catalogs, broker }: ReplayTools, { partition, from, to }: Range) {
  const whole = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  for (const { gameUuid } of await catalogs.live.publishedIn(partition)) {
    const gameId = (await catalogs.games.find(gameUuid))?.gameId ?? gameUuid;
    const first = await wholeSince(broker, topics.quotes, partition, await catalogs.live.knownSince(gameUuid));
    if (first === null) leftOut.push({ gameId, reason: 'may have older records, which are deleted' });
    else if (first < from) leftOut.push({ gameId, reason: `may have records from offset ${first} on` });
    else if (first < to) whole.set(gameUuid, gameId);
  }
  return { whole, leftOut };
}
