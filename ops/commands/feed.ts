// `sds feed replay`: plays recorded feeds through the gateway.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Micros } from '../../core/units.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { CommandFailure, print, withCatalogs } from '../command.ts';
import { type GatewayClient, gatewayClient, type PushedReceipt } from '../replay/gateway-client.ts';
import { openProgress } from '../replay/progress.ts';
import { type RecordedLine, readRecording } from '../replay/recording.ts';
import { type ReplaySummary, replay, type Span, settleReceipts } from '../replay/replay.ts';
import { writeAtomically } from '../service/first-keys.ts';
import { runningInstance } from '../service/instance-file.ts';
import { mintFeedKey } from '../service/new-keys.ts';

type Options = {
  format: string;
  source: string;
  league?: string;
  speed: string;
  shiftToNow?: boolean;
  oddsFormat: string;
  url?: string;
};

/** How far an interrupted replay came. */
type Mark = { line: number; receipts: PushedReceipt[] };

export function feedCommand(): Command {
  const feed = new Command('feed').description('recorded feeds');
  feed
    .command('replay')
    .description('push recordings (.ndjson, .gz, .zst) through the gateway, at their own times')
    .argument('<file...>', 'recordings, in order')
    .addOption(
      new Option('--format <format>', 'what the bodies are')
        .choices(['quotes', 'the-odds-api-v4'])
        .makeOptionMandatory(),
    )
    .requiredOption('--source <source>', 'the source they are pushed as')
    .option('--league <league>', 'push only events of this league')
    .option('--speed <n|max>', 'seconds of the recording a second', 'max')
    .option('--shift-to-now', 'move all times so that the recording ends now')
    .option('--odds-format <format>', 'prices of the-odds-api-v4: american or decimal', 'american')
    .option('--url <url>', 'the gateway; default: the running instance')
    .option('--json', 'print a JSON summary')
    .action((files: string[], options: Options, command: Command) =>
      withCatalogs(async ({ settings, catalogs, peppers }) => {
        const speed = options.speed === 'max' ? Number.POSITIVE_INFINITY : Number(options.speed);
        if (!(speed > 0))
          throw new CommandFailure('usage', `--speed is ${options.speed}, and must be a number above 0 or max`);
        for (const file of files) if (!existsSync(file)) throw new CommandFailure('failed', `no file ${file}`);
        const url =
          options.url ??
          runningInstance(settings.dataDir)?.ingest_url ??
          `http://${settings.host}:${settings.ingestPort}`;
        const key = await mintFeedKey(catalogs.keys, peppers, [options.source], ['push', 'backfill']);
        try {
          const gateway = gatewayClient({ url, key: key.plaintext, source: options.source }, systemClock);
          const mark = join(resolve(settings.dataDir), 'replays', `${nameOf(files, options)}.json`);
          const summary = await play(gateway, files, { ...options, pace: speed }, mark);
          print(command, summary, text(summary));
        } finally {
          await catalogs.keys.revokeFeedKey(key.id);
        }
      }),
    );
  return feed;
}

async function play(
  gateway: GatewayClient,
  files: readonly string[],
  options: Options & { pace: number },
  markFile: string,
): Promise<ReplaySummary> {
  const span = await measure(files);
  mkdirSync(join(markFile, '..'), { recursive: true });
  const mark: Mark = existsSync(markFile)
    ? (JSON.parse(readFileSync(markFile, 'utf8')) as Mark)
    : { line: 0, receipts: [] };
  if (mark.line > 0) process.stderr.write(`going on after line ${mark.line} of ${span.lines}\n`);
  const progress = openProgress('replay', span.lines);
  const tools = {
    gateway,
    clock: systemClock,
    pushed: (_line: RecordedLine, receipt: PushedReceipt) => {
      mark.line += 1;
      mark.receipts.push(receipt);
      writeAtomically(markFile, mark);
      progress.at(mark.line);
    },
  };
  const route =
    options.format === 'quotes' ? 'quotes' : `the-odds-api-v4?odds_format=${encodeURIComponent(options.oddsFormat)}`;
  const league = options.league?.toUpperCase();
  await replay(tools, linesAfter(files, mark.line), span, {
    speed: options.pace,
    shiftToNow: options.shiftToNow === true,
    route,
    select: (body) => (league === undefined ? body : ofLeague(body, league)),
  });
  progress.end();
  const applied = openProgress('applied', mark.receipts.length);
  const summary = await settleReceipts(tools, mark.receipts, (done) => applied.at(done));
  applied.end();
  rmSync(markFile, { force: true });
  return summary;
}

async function measure(files: readonly string[]): Promise<Span> {
  let first: Micros | null = null;
  let last: Micros = 0;
  let lines = 0;
  for await (const line of linesAfter(files, 0)) {
    first ??= line.at;
    last = line.at;
    lines += 1;
  }
  if (first === null) throw new CommandFailure('failed', `no line in ${files.join(', ')}`);
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

const sportKeys: Readonly<Record<string, string>> = {
  MLB: 'baseball_mlb',
  NBA: 'basketball_nba',
  NHL: 'icehockey_nhl',
  NFL: 'americanfootball_nfl',
  NCAAM: 'basketball_ncaab',
};

/** The events of one league: by `sport_key` in the provider's form, by `game.league` in the native one. */
function ofLeague(body: unknown, league: string): unknown {
  const wanted = (event: unknown): boolean => {
    const { sport_key, game } = (event ?? {}) as { sport_key?: unknown; game?: { league?: unknown } };
    return sport_key === undefined ? game?.league === league : sport_key === sportKeys[league];
  };
  if (Array.isArray(body)) return body.filter(wanted);
  const { events, data } = (body ?? {}) as { events?: unknown; data?: unknown };
  if (Array.isArray(events)) return { ...(body as object), events: events.filter(wanted) };
  return Array.isArray(data) ? { ...(body as object), data: data.filter(wanted) } : body;
}

function nameOf(files: readonly string[], options: Options): string {
  return createHash('sha256')
    .update(JSON.stringify([files.map((file) => resolve(file)), options]))
    .digest('hex')
    .slice(0, 16);
}

function text(summary: ReplaySummary): string {
  const { pushes, accepted, applied, duplicates, refused, rejected } = summary;
  return `${pushes} pushes, ${accepted} records accepted: ${applied} applied, ${duplicates} duplicates, ${refused} refused; ${rejected} parts rejected at the gateway`;
}
