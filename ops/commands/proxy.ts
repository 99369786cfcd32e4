// `sds proxy`: serves the API on this machine and keeps immutable answers on disk: each file is transferred and charged once, however many
// programs here read it.
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { monotonicMs } from '../../platform/process/clock.ts';
import { DataDirInUse } from '../../platform/process/data-dir-lock.ts';
import { onFirstEndSignal } from '../../platform/process/signals.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { listenOn } from '../service/listen-on.ts';
import { keyInFile } from '../session/api-key.ts';
import { CommandFailure, print, wholeNumber } from '../session/command.ts';

type Options = { url: string; keyFile: string; port: string; cache: string; cacheMb: string };

const defaultPort = 8090;
const defaultMegabytes = 10_000;

export function proxyCommand(): Command {
  return new Command('proxy')
    .description(
      'serve the API on 127.0.0.1 and keep its files on disk: one charge per file, served even while the API is away',
    )
    .option('--url <url>', 'the API', 'http://127.0.0.1:8080')
    .requiredOption('--key-file <file>', 'a file with the API key that reads, for all who ask here')
    .option('--port <port>', 'the port to listen on; 0: any that is free', String(defaultPort))
    .option('--cache <folder>', 'where files are kept', join(homedir(), '.cache', 'sds-proxy'))
    .option('--cache-mb <megabytes>', 'how much is kept; the least recently used goes first', String(defaultMegabytes))
    .option('--json', 'print the address as JSON')
    .addHelpText('after', example)
    .action((options: Options, command: Command) => run(options, command));
}

const example = `
DuckDB reads through it without a key:
  install httpfs; load httpfs;
  select * from read_parquet('http://127.0.0.1:${defaultPort}/v1/games/GAME/closing-lines');
`;

async function run(options: Options, command: Command): Promise<void> {
  const upstream = upstreamOf(options.url);
  const port = wholeNumber('--port', options.port, 0, 65_535);
  const mostBytes = wholeNumber('--cache-mb', options.cacheMb, 1, 100_000_000) * 1_000_000;
  const key = keyInFile(options.keyFile);
  // The cache of one API must not answer for another.
  const name = `${upstream.hostname.replace(/[^0-9A-Za-z.-]/g, '_')}-${digest(upstream.origin).slice(0, 12)}`;
  const folder = join(resolve(options.cache), name);
  const [{ openDiskFailures }, { openKeptAnswers }, { openProxy }] = await Promise.all([
    import('../proxy/disk-failures.ts'),
    import('../proxy/kept-answers.ts'),
    import('../proxy/open-proxy.ts'),
  ]);
  const log = openLog('warn');
  await using opened = new AsyncDisposableStack();
  const kept = openedIn(folder, () => openKeptAnswers(folder, mostBytes, openDiskFailures(log, monotonicMs)));
  opened.defer(() => kept.close());
  const proxy = openProxy(upstream, key, kept, log);
  opened.defer(() => proxy.close());
  const url = await listenOn(proxy, '127.0.0.1', '--port', port);
  print(
    command,
    { url, upstream: upstream.origin, cache: folder, kept_bytes: kept.bytes() },
    `${url} reads ${upstream.origin}; ${inMegabytes(kept.bytes())} MB are kept in ${folder}`,
  );
  await new Promise<void>((end) => onFirstEndSignal(() => end()));
  const { answers, fromDisk, stale, notKept, rowsDebited } = proxy.counts;
  const ofDisk = `${fromDisk} from disk (${stale} stale), ${notKept} that it could not take`;
  print(
    command,
    { answers, from_disk: fromDisk, stale, not_kept: notKept, rows_debited: rowsDebited, kept_bytes: kept.bytes() },
    `${answers} answers, ${ofDisk}, ${rowsDebited} rows debited`,
  );
}

function upstreamOf(text: string): URL {
  const url = URL.parse(text);
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  if (isUsable && url.username === '' && url.password === '') return url;
  throw new CommandFailure('usage', `--url is ${text}, and must be like http://127.0.0.1:8080`);
}

function openedIn<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    throw new CommandFailure(
      'refused',
      `another proxy keeps its files in ${folder}: use that one, or give --cache another folder`,
    );
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function inMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
