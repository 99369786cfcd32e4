// `sds status`: how far the projectors are, how many games are live, and what needs attention.
import { Command } from 'commander';
import { mergeReports, type SeenReason, StandingReasons } from '../../core/health/reason.ts';
import { type Broker, BrokerUnavailable } from '../../core/ports/broker.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../core/units.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { topics } from '../../schemas/events/topics.ts';
import { openHealthCheck } from '../health/check-health.ts';
import { reasonsAsJson } from '../health/reasons-as-json.ts';
import { streamName } from '../health/stream-name.ts';
import { CommandFailure, print, type Session, table, withCatalogs } from '../session/command.ts';
import { droppedDeadLetters } from './dropped-dead-letters.ts';
import { useByKey, useCells, useHeading } from './key-use.ts';

/** How many games that have not closed are named. */
const mostOverdue = 100;

export function statusCommand(): Command {
  return new Command('status')
    .description('health, lag, games, dead letters, what feed keys use')
    .option('--json', 'print JSON')
    .option('--check', 'exit with 1 if the service is degraded')
    .action(({ check }: { check?: true }, command: Command) =>
      withCatalogs(async (session) => {
        const { settings, catalogs, broker } = session;
        const streams = await catalogs.operations.streams();
        const ends = await logEnds(
          broker,
          streams.map(({ topic }) => topic),
        );
        const games = await catalogs.operations.gameCounts();
        const overdue = await catalogs.operations.overdue(mostOverdue);
        const deadLetters = await catalogs.deadLetters.count();
        const keys = new Map((await catalogs.keys.feedKeys()).map((key) => [key.id, key]));
        const lettersOfFold = await catalogs.deadLetters.ofFoldToday();
        const dropped = await droppedDeadLetters(catalogs.deadLetters);
        const uses = [...useByKey(await catalogs.feedUse.today())];
        const lag = Object.fromEntries(
          streams.map((stream) => [
            streamName(stream),
            {
              behind: behind(ends, stream),
              next_offset: stream.nextOffset,
              owner_epoch: stream.ownerEpoch,
              halted: stream.halted,
            },
          ]),
        );
        const halted = streams.filter((stream) => stream.halted !== null);
        const ticked = await catalogs.operations.newestTick();
        const reasons = await healthNow(session);
        const degraded = reasons.map(({ name }) => name);
        const rows = streams.map((stream) => [
          stream.projector,
          stream.partition,
          stream.nextOffset,
          behind(ends, stream),
          stream.ownerEpoch,
          stream.ownerId,
        ]);
        const text = [
          `${settings.edition} edition: ${games.games} games, ${games.live} live, ${games.to_settle} to settle, ${deadLetters} dead letters`,
          ticked === null ? 'no tick yet' : `newest tick ${Math.round(ticked.age / microsPerSecond)} s ago`,
          table(['projector', 'partition', 'next offset', 'behind', 'epoch', 'owner'], rows),
        ];
        if (uses.length > 0) {
          const used = uses.map(([id, use]) => [id, keys.get(id)?.sources.join(',') ?? null, ...useCells(use)]);
          text.push('feed keys on this UTC day:', table(['feed key', 'sources', ...useHeading], used));
        }
        if (lettersOfFold.length > 0) {
          const rows = lettersOfFold.map(({ source, letters, kept }) => [source || null, letters, kept]);
          text.push('dead letters of the folds on this UTC day:', table(['source', 'letters', 'kept'], rows));
        }
        if (overdue.length > 0)
          text.push(
            `games not closed two days after their start: ${overdue.length}${overdue.length === mostOverdue ? ' or more' : ''}, first ${overdue[0]}; ./sds games status or ./sds games settle closes a game`,
          );
        text.push(...dropped.text);
        for (const stream of halted) text.push(`${streamName(stream)} is halted: ${stream.halted}`);
        if (ends === null) text.push('the lag is unknown: the log does not answer');
        for (const { name, since, seenBy, detail } of reasons)
          text.push(`degraded: ${name} since ${formatMicros(since)} (${seenBy.join(', ')}): ${detail}`);
        const feedKeys = uses.map(([id, today]) => ({ feed_key_id: id, sources: keys.get(id)?.sources ?? [], today }));
        const counts = {
          games,
          overdue_games: overdue,
          dead_letters: deadLetters,
          fold_letters: lettersOfFold,
          dropped_letters: dropped.shown,
          feed_keys: feedKeys,
        };
        const newestTick =
          ticked === null ? null : { at: formatMicros(ticked.at), age_ms: Math.round(ticked.age / 1_000) };
        const shown = { edition: settings.edition, lag, newest_tick: newestTick, ...counts, degraded };
        print(command, { ...shown, reasons: reasonsAsJson(reasons) }, text.join('\n'));
        if (check === true && degraded.length > 0)
          throw new CommandFailure('failed', `the service is degraded: ${degraded.join(', ')}`);
      }),
    );
}

/**
 * The health as this command sees it, and as the running processes report it. Only the running instance can check the embedded object
 * store.
 */
async function healthNow({ settings, catalogs, broker, objects }: Session): Promise<readonly SeenReason[]> {
  const clock = systemClock;
  const { operations, live, health } = catalogs;
  const store = settings.edition === 'embedded' ? null : await objects();
  const { look } = openHealthCheck({ operations, live, objects: store, broker: await broker(), clock });
  const reasons = new StandingReasons().note(await look(), clock.now());
  return mergeReports([{ roles: 'status', reasons }, ...(await health.reports())]);
}

/** Next offset to be written, by topic and partition; null when the log does not answer. */
async function logEnds(
  broker: () => Promise<Broker>,
  named: readonly string[],
): Promise<ReadonlyMap<string, number> | null> {
  const ends = new Map<string, number>();
  try {
    for (const topic of new Set([topics.quotes, ...named]))
      for (const { partition, high } of await (await broker()).watermarks(topic))
        ends.set(`${topic}/${partition}`, high);
    return ends;
  } catch (error) {
    if (error instanceof BrokerUnavailable) return null;
    throw error;
  }
}

/** Records that are in the log but not yet folded and visible. */
function behind(
  ends: ReadonlyMap<string, number> | null,
  stream: { topic: string; partition: number; nextOffset: number },
): number | null {
  const end = ends?.get(`${stream.topic}/${stream.partition}`);
  return end === undefined ? null : Math.max(0, end - stream.nextOffset);
}
