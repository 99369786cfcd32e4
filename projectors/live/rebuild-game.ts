// Rebuilds one game from the records of its log: an empty state, and a log of the next generation, above every `seq` used before. Writes each segment
// as soon as it is closed, while it folds the records of the next, so that little more than two segments are in memory, however long the log, and
// has the written ones put again while that takes so long that the collector could delete them. The records' receipts and dead letters are not
// written again.
import { nilUuid } from '../../core/games/uuid.ts';
import { operatorsWithRows } from '../../core/live/board.ts';
import { type GameState, newGame } from '../../core/live/game-state.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { ClosedSegment, ServedLog } from '../../core/ports/catalog/live.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { CommittedFiles } from '../worker/start-over.ts';
import type { RunTask } from '../worker/time-slices.ts';
import { type GameChanges, noLiveChanges } from './changes.ts';
import { foldingRecord, type LiveGames } from './fold-record.ts';
import { filesOf, segmentFiles, writeFullSegments } from './game-plan.ts';

type Tools = {
  partition: number;
  runTask: RunTask;
  /** Null: only the state is wanted, because its files are committed already. */
  files: Pick<CommittedFiles, 'write' | 'mustRenew' | 'renew'> | null;
};

/**
 * The game from `records`, which hold all of its own, and the ticks of its partition. `served`: the log that it replaces. `changes`: what
 * the next flush has to publish.
 */
export async function rebuildGame(
  { partition, runTask, files }: Tools,
  before: GameState,
  records: AsyncIterable<readonly DeliveredRecord[]>,
  served: ServedLog | null,
): Promise<{ game: GameState; changes: GameChanges }> {
  const { uuid } = before;
  // In memory the log may be longer than it is published.
  const firstSeq = (before.segment?.seq ?? before.firstSeq - 1) + 1;
  const begins = { generation: before.generation + 1, firstSeq };
  // The game exists from its first record on, as it did originally: earlier ticks do not apply to it.
  const live: LiveGames = { partition, games: new Map(), touched: new Set(), closed: new Set(), begins };
  const closed: ClosedSegment[] = [];
  const changes: GameChanges = { pieces: [], boards: new Set(), startedOver: { closed, supersedes: filesOf(served) } };
  let writing: Promise<void> | null = null;
  try {
    for await (const batch of records) {
      const own = batch.filter(({ key }) => key === uuid || key === nilUuid);
      if (own.length > 0) await runTask(foldingInto(live, uuid, changes, own));
      if (files?.mustRenew()) {
        await writing;
        await renew(closed, files);
      }
      if (changes.pieces.length <= 1) continue;
      const folded = live.games.get(uuid);
      await writing;
      if (files === null || folded === undefined) changes.pieces.splice(0, changes.pieces.length - 1);
      else writing = writeFullSegments(folded, changes, files).then((written) => void closed.push(...written));
      // Awaited below or before the next; a failure may come before either.
      writing?.catch(() => {});
    }
    await writing;
    if (files?.mustRenew()) await renew(closed, files);
  } finally {
    await Promise.allSettled([writing]);
  }
  const game = live.games.get(uuid) ?? newGame(uuid, begins);
  for (const { code } of operatorsWithRows(game)) changes.boards.add(code);
  return { game, changes };
}

async function renew(closed: ClosedSegment[], files: Pick<CommittedFiles, 'renew'>): Promise<void> {
  const renewed = await files.renew(segmentFiles({ closed, tail: null }));
  for (const [index, { key }] of renewed.entries()) closed[index] = { ...(closed[index] as ClosedSegment), key };
}

function* foldingInto(
  live: LiveGames,
  uuid: string,
  changes: GameChanges,
  records: readonly DeliveredRecord[],
): Task<void> {
  const games = new Map([[uuid, changes]]);
  for (const record of records) yield* foldingRecord(live, { ...noLiveChanges(), games }, record);
}
