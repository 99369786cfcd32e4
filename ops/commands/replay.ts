// `sds replay`: folds a range of the log again and compares it with what is served (docs/operations.md#replaying-the-log).
import { Command } from 'commander';
import { silentLog } from '../../core/ports/telemetry.ts';
import { parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { topics } from '../../schemas/events/topics.ts';
import { leftOutText, planRebuildsOf } from '../rebuild/plan-rebuild.ts';
import {
  checkpointOf,
  type Range,
  type Replayed,
  type ReplayTools,
  replayPartition,
} from '../rebuild/replay-partition.ts';
import { type Rebuilt, runRebuilds } from '../rebuild/run-rebuilds.ts';
import { CommandFailure, confirm, print, type Session, wholeNumber, withCatalogs } from '../session/command.ts';
import { openProgress } from '../session/progress.ts';
import { wholeLog } from '../session/whole-log.ts';

type Options = { from?: string; to?: string; partition?: string; swap?: true; yes?: true };

/** A place in the log: a time, or an offset of one partition. */
type Place = { time: Micros } | { offset: number } | null;

export function replayCommand(): Command {
  return new Command('replay')
    .description('fold a range of the log of quotes again, and compare the rows and boards with those that are served')
    .option('--from <time|offset>', 'where to begin; an offset needs --partition; default: the first record held')
    .option('--to <time|offset>', 'where to end; default: the newest record that is folded')
    .option('--partition <number>', 'of this partition only')
    .option('--swap', 'rebuild the logs that differ')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) => {
      const asked = askedOf(options);
      return withCatalogs((session) => replay(session, asked, options, command));
    });
}

type Asked = { partition: number | null; from: Place; to: Place };

/** @throws CommandFailure usage */
function askedOf({ from, to, partition }: Options): Asked {
  const asked = {
    partition: partition === undefined ? null : wholeNumber('--partition', partition, 0, 1_000_000),
    from: placeOf('--from', from),
    to: placeOf('--to', to),
  };
  const isOffset = (place: Place) => place !== null && 'offset' in place;
  if (asked.partition === null && (isOffset(asked.from) || isOffset(asked.to)))
    throw new CommandFailure('usage', 'an offset is of one partition: give --partition too, or a time');
  return asked;
}

function placeOf(option: string, text: string | undefined): Place {
  if (text === undefined) return null;
  if (/^[0-9]+$/.test(text)) return { offset: wholeNumber(option, text, 0, Number.MAX_SAFE_INTEGER) };
  const time = parseRfc3339(text);
  if (time === null)
    throw new CommandFailure('usage', `${option} is ${text}; give an offset, or a time such as 2026-01-09T18:00:00Z`);
  return { time };
}

async function replay(session: Session, asked: Asked, options: Options, command: Command): Promise<void> {
  const { catalogs, interrupted } = session;
  const broker = await wholeLog(session);
  const ranges = await rangesOf(session, asked);
  const patience = { clock: systemClock, log: silentLog, givenUp: interrupted };
  const tools = { catalogs, broker, patience, objects: await session.objects(), parquet: parquetWriter };
  const replayed = await replayAll(tools, ranges).catch((error: unknown) => {
    if (interrupted.aborted) throw new CommandFailure('failed', 'interrupted; nothing was changed');
    throw error;
  });
  const games = replayed.flatMap((each) => each.games);
  const differing = games.filter(({ comparison }) => comparison.differences.length > 0).map(({ gameId }) => gameId);
  if (differing.length === 0 || options.swap !== true) {
    print(command, factsOf(replayed), textOf(replayed));
    if (differing.length === 0) return;
    throw new CommandFailure('failed', `${differing.length} of ${games.length} logs differ; --swap rebuilds them`);
  }
  // The plan. As JSON, everything is one result at the end.
  if (command.optsWithGlobals().json !== true) process.stdout.write(`${textOf(replayed)}\n`);
  const { rebuilt, leftOut, failure } = await swap(session, differing, options.yes === true);
  const facts = { ...factsOf(replayed), rebuilt, not_rebuilt: leftOut };
  print(command, facts, `${rebuilt.length} of ${differing.length} logs rebuilt`);
  if (failure !== null) throw failure;
}

type Swapped = {
  rebuilt: readonly Rebuilt[];
  leftOut: readonly { game_id: string; reason: string }[];
  failure: CommandFailure | null;
};

/** Rebuilds the logs of the games. `failure`: why not all of them are rebuilt. */
async function swap(session: Session, gameIds: readonly string[], yes: boolean): Promise<Swapped> {
  const tools = { catalogs: session.catalogs, broker: await session.broker() };
  try {
    await confirm(`the logs of ${gameIds.join(', ')} will be rebuilt`, 'swap', yes);
  } catch (error) {
    if (error instanceof CommandFailure) return { rebuilt: [], leftOut: [], failure: error };
    throw error;
  }
  const { planned, leftOut: notPlanned } = await planRebuildsOf(tools, gameIds);
  const leftOut = notPlanned.map(({ gameId, reason }) => ({ game_id: gameId, reason }));
  for (const each of notPlanned) process.stderr.write(`${leftOutText(each)}\n`);
  const { rebuilt, failure } = await runRebuilds(session, planned);
  if (failure !== null || leftOut.length === 0) return { rebuilt, leftOut, failure };
  const text = `${leftOut.length} of ${gameIds.length} logs that differ were not rebuilt`;
  return { rebuilt, leftOut, failure: new CommandFailure('failed', text) };
}

/** @throws CommandFailure when the log does not hold the range */
async function rangesOf(session: Session, { partition: only, from, to }: Asked): Promise<Range[]> {
  const broker = await wholeLog(session);
  const marks = (await broker.watermarks(topics.quotes)).filter((each) => only === null || each.partition === only);
  if (marks.length === 0)
    throw new CommandFailure(
      'failed',
      `${topics.quotes} ${only === null ? 'does not exist' : `has no partition ${only}`}`,
    );
  const ranges: Range[] = [];
  for (const { partition, low } of marks) {
    const offsetOf = async (place: Place, otherwise: number): Promise<number> => {
      if (place === null) return otherwise;
      return 'offset' in place ? place.offset : broker.offsetAt(topics.quotes, partition, place.time);
    };
    const first = await offsetOf(from, low);
    if (first < low)
      throw new CommandFailure(
        'refused',
        `partition ${partition} holds records from offset ${low} on: older ones are deleted`,
      );
    const end = await checkpointOf(session.catalogs, partition);
    const last = Math.min(end, await offsetOf(to, end));
    if (first <= last) ranges.push({ partition, from: first, to: last, toEnd: last === end });
  }
  return ranges;
}

async function replayAll(tools: ReplayTools, ranges: readonly Range[]): Promise<Replayed[]> {
  const all = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  using progress = openProgress({ unit: 'records', all });
  const replayed: Replayed[] = [];
  for (const range of ranges) replayed.push(await replayPartition(tools, range, (records) => progress.add(records)));
  return replayed;
}

function factsOf(replayed: readonly Replayed[]) {
  const games = replayed.flatMap((each) => each.games);
  return {
    partitions: replayed.map(({ partition, from, to, boards }) => ({ partition, from, to, boards })),
    games: games.length,
    rows: games.reduce((sum, { comparison }) => sum + comparison.rows, 0),
    differences: games.flatMap(({ gameId, comparison }) =>
      comparison.differences.map((difference) => ({ game_id: gameId, ...difference })),
    ),
    differences_more: games.reduce((sum, { comparison }) => sum + comparison.more, 0),
    left_out: replayed.flatMap((each) => each.leftOut.map(({ gameId, reason }) => ({ game_id: gameId, reason }))),
  };
}

function textOf(replayed: readonly Replayed[]): string {
  const facts = factsOf(replayed);
  const lines = facts.differences.map(
    ({ game_id: id, at, served, folded }) => `${id} ${at}: served ${served}; folded ${folded}`,
  );
  if (facts.differences_more > 0) lines.push(`and ${facts.differences_more} differences more`);
  for (const { leftOut } of replayed) lines.push(...leftOut.map(leftOutText));
  for (const { partition, boards } of replayed)
    if (!boards) lines.push(`partition ${partition}: boards are not compared, because what is served is further`);
  lines.push(`${facts.rows} rows of ${facts.games} games compared`);
  return lines.join('\n');
}
