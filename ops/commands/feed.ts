// `sds feed replay`: plays recorded feeds through the gateway.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { unrestricted } from '../../core/access/feed-grant.ts';
import { msfFeeds } from '../../core/msf/feeds/feeds.ts';
import type { Micros } from '../../core/units.ts';
import type { Settings } from '../../platform/config/settings.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { type League, leagueTable } from '../../schemas/reference/leagues.ts';
import { type GatewayClient, gatewayClient, Interrupted } from '../replay/gateway-client.ts';
import { openMark } from '../replay/mark.ts';
import { msfRoute } from '../replay/msf-route.ts';
import { ownGateway } from '../replay/own-gateway.ts';
import { type RecordedLine, readRecording } from '../replay/recording.ts';
import { type RecordingSpan, type ReplaySummary, replay, shiftToNow, sumReceipts } from '../replay/replay.ts';
import { mintFeedKey } from '../service/new-keys.ts';
import { CommandFailure, leagueOf, print, sourceOf, withCatalogs } from '../session/command.ts';
import { openProgress } from '../session/progress.ts';

type Options = {
  format: string;
  source: string;
  league?: string;
  speed: string;
  shiftToNow?: boolean;
  oddsFormat: string;
  season?: string;
  feed?: string;
  url?: string;
};

/** The replay, once its options are validated. */
type Plan = {
  files: readonly string[];
  league: League | null;
  speed: number;
  toNow: boolean;
  routeOf(line: RecordedLine): string;
  markFile: string;
};

export function feedCommand(): Command {
  const feed = new Command('feed').description('recorded feeds');
  feed
    .command('replay')
    .description(
      'push recordings (.ndjson, .gz, .zst) through the gateway, at their own times; interrupted, it continues where it stopped',
    )
    .argument('<file...>', 'recordings, in order')
    .addOption(
      new Option('--format <format>', 'format of the bodies')
        .choices(['quotes', 'the-odds-api-v4', 'msf'])
        .makeOptionMandatory(),
    )
    .requiredOption('--source <source>', 'the source to push as')
    .option('--league <league>', 'push only events of this league; msf: the league of lines that do not say theirs')
    .option('--speed <n|max>', 'seconds of the recording per second', 'max')
    .option('--shift-to-now', 'move all times so that the recording ends now')
    .addOption(
      new Option('--odds-format <format>', 'prices of the-odds-api-v4')
        .choices(['american', 'decimal'])
        .default('american'),
    )
    .option('--season <season>', 'msf: the season of lines that do not say theirs, such as 2025-2026-regular')
    .addOption(new Option('--feed <feed>', 'msf: the feed of lines that do not say theirs').choices(msfFeeds))
    .option('--url <url>', 'the gateway; default: that of the running instance')
    .option('--json', 'print a JSON summary')
    .action((files: string[], options: Options, command: Command) =>
      withCatalogs(async ({ settings, catalogs, peppers, actor, interrupted }) => {
        const source = sourceOf(options.source);
        const url = await gatewayUrl(options.url, settings);
        const plan = planOf(files, options, join(resolve(settings.dataDir), 'replays'));
        const isMsf = options.format === 'msf';
        // The events of its bodies are those of the source msf, and so are their ticks.
        const tickSource = isMsf ? 'msf' : source;
        const grant = unrestricted([...new Set([source, tickSource])], [isMsf ? 'msf' : 'push', 'backfill']);
        const key = await mintFeedKey(catalogs.keys, peppers(), grant);
        const purpose = { for: 'feed replay' };
        try {
          await catalogs.operations.audit(actor, 'feed-keys mint', key.id, { ...grant, ...purpose });
          const gateway = gatewayClient({ url, key: key.plaintext, source, tickSource }, systemClock, interrupted);
          const summary = await play(gateway, plan, interrupted);
          print(command, summary, text(summary));
        } finally {
          await catalogs.keys.revokeFeedKey(key.id);
          await catalogs.operations.audit(actor, 'feed-keys revoke', key.id, purpose);
        }
      }),
    );
  return feed;
}

function planOf(files: readonly string[], options: Options, marks: string): Plan {
  const speed = options.speed === 'max' ? Number.POSITIVE_INFINITY : Number(options.speed);
  if (!(speed > 0) || (speed === Number.POSITIVE_INFINITY && options.speed !== 'max'))
    throw new CommandFailure('usage', `--speed is ${options.speed}, and must be a number above 0, or max`);
  for (const file of files) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      throw new CommandFailure('failed', `no file ${file}`);
  }
  const { format, source, oddsFormat, season, feed, url, shiftToNow: toNow = false } = options;
  const league = options.league === undefined ? null : leagueOf(options.league);
  // Identifies a replay by what it pushes and where, so that it can be continued at another speed.
  const name = [files.map((file) => resolve(file)), format, source, league, oddsFormat, toNow, url, season, feed];
  const digest = createHash('sha256').update(JSON.stringify(name)).digest('hex');
  return {
    files,
    league: format === 'msf' ? null : league,
    speed,
    toNow,
    routeOf: (line) => {
      if (format === 'msf') return msfRoute({ league: options.league, season, feed }, line);
      return format === 'quotes' ? 'quotes' : `the-odds-api-v4?odds_format=${oddsFormat}`;
    },
    markFile: join(marks, `${digest.slice(0, 16)}.ndjson`),
  };
}

/** Where to push: the given URL, or a gateway of the data directory that proves to be one. */
async function gatewayUrl(asked: string | undefined, { dataDir }: Settings): Promise<string> {
  if (asked === undefined) return ownGateway(dataDir);
  if (/^https?:$/.test(URL.parse(asked)?.protocol ?? '')) return asked.replace(/\/{1,64}$/, '');
  throw new CommandFailure('usage', `--url is ${asked}, and must be like http://127.0.0.1:8081`);
}

async function play(gateway: GatewayClient, plan: Plan, interrupted: AbortSignal): Promise<ReplaySummary> {
  const span = await measure(plan);
  const tools = { gateway, clock: systemClock, interrupted };
  using mark = openMark(plan.markFile, () => (plan.toNow ? shiftToNow(span, plan.speed, systemClock.now()) : 0));
  const { id, receipts, shift } = mark;
  if (receipts.length > 0) process.stderr.write(`continuing after line ${receipts.length} of ${span.lines}\n`);
  const { league } = plan;
  const options = {
    id,
    pushed: receipts.length,
    speed: plan.speed,
    shift,
    routeOf: plan.routeOf,
    select: (body: unknown) => (league === null ? body : ofLeague(body, league)),
  };
  try {
    {
      using progress = openProgress({ unit: 'lines', all: span.lines, from: receipts.length });
      for await (const receipt of replay(tools, linesAfter(plan.files, receipts.length), options)) {
        mark.add(receipt);
        progress.at(receipts.length);
      }
    }
    using progress = openProgress({ unit: 'receipts', all: receipts.length });
    const summary = await sumReceipts(tools, receipts, (done) => progress.at(done));
    mark.remove();
    return summary;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw new CommandFailure(
      'failed',
      `interrupted after line ${receipts.length} of ${span.lines}; the same command continues there`,
    );
  }
}

/** Reads all lines before the first is pushed. @throws BadLine when a line is invalid or lacks its destination */
async function measure({ files, routeOf }: Plan): Promise<RecordingSpan> {
  let first: Micros | null = null;
  let last: Micros = 0;
  let lines = 0;
  for await (const line of linesAfter(files, 0)) {
    first ??= line.at;
    last = line.at;
    lines += 1;
    routeOf(line);
  }
  if (first === null) throw new CommandFailure('failed', `no lines in ${files.join(', ')}`);
  return { first, last, lines };
}

async function* linesAfter(files: readonly string[], done: number): AsyncGenerator<RecordedLine> {
  let count = 0;
  for (const file of files) {
    for await (const line of readRecording(file)) {
      count += 1;
      if (count > done) yield line;
    }
  }
}

/** Keeps the events of one league: by `sport_key` in the provider's format, by `game.league` in the native one. */
function ofLeague(body: unknown, league: League): unknown {
  const wanted = (event: unknown): boolean => {
    const { sport_key, game } = (event ?? {}) as { sport_key?: unknown; game?: { league?: unknown } };
    return sport_key === undefined ? game?.league === league : sport_key === leagueTable[league].oddsApi;
  };
  if (Array.isArray(body)) return body.filter(wanted);
  const { events, data } = (body ?? {}) as { events?: unknown; data?: unknown };
  if (Array.isArray(events)) return { ...(body as object), events: events.filter(wanted) };
  return Array.isArray(data) ? { ...(body as object), data: data.filter(wanted) } : body;
}

function text(summary: ReplaySummary): string {
  const { pushes, accepted, applied, duplicates, refused, rejected } = summary;
  return `${pushes} pushes, ${accepted} records accepted: ${applied} applied, ${duplicates} duplicates, ${refused} refused; ${rejected} parts rejected at the gateway`;
}
