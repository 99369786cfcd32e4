// e) What the embedded edition takes: its peak memory while the demo plays, PostgreSQL included. Then how the CPU cost
// of a quote (folding, planning, encoding) depends on the number of games and on the length of their logs: a scan
// anywhere would make it grow.
import { setTimeout as delay } from 'node:timers/promises';
import type { GameState } from '../../core/live/game-state.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import { LiveProjector, liveProjector } from '../../projectors/live/live-projector.ts';
import { type Bench, type Run, short } from './bench.ts';
import { noCatalog, partitionAlone } from './flushed-partition.ts';
import { booksOfGame, quoteRecords } from './quotes.ts';
import { memoryOf, startService } from './started-service.ts';

const targetMb = 400;
/** For two minutes after a start memory still grows. */
const settledSeconds = 150;

export const footprint: Bench = {
  letter: 'e',
  title: 'memory of the embedded edition; cost of a quote by games and by length of log',
  async run(run) {
    await memory(run, run.toy ? 3 : settledSeconds);
    await byGames(run);
    await byLength(run);
  },
};

async function memory(run: Run, seconds: number): Promise<void> {
  await using service = await startService({ SDS_DEMO: 'on' });
  let peak = { ours: 0, others: 0 };
  const endsAt = performance.now() + seconds * 1000;
  for (let look = 0; performance.now() < endsAt; look += 1) {
    const now = memoryOf(service.pid);
    if (now.ours + now.others > peak.ours + peak.others) peak = now;
    if (look % 40 === 0) run.say(`the demo plays: ${(now.ours + now.others).toFixed(0)} MB`);
    await delay(250);
  }
  const all = peak.ours + peak.others;
  run.figure({
    what: `peak PSS ${all.toFixed(0)} MB in ${seconds} s: service ${peak.ours.toFixed(0)} MB, PostgreSQL ${peak.others.toFixed(0)} MB`,
    target: `≤ ${targetMb} MB`,
    met: all <= targetMb,
  });
}

type Cost = { at: number; micros: number };

/** A flush follows each poll of everything: one image of each operator of each game. */
async function byGames(run: Run): Promise<void> {
  run.say('cost of a quote: warming up');
  await costWith(20, run.toy ? 60 : 6_000);
  const costs: Cost[] = [];
  for (const games of run.toy ? [1, 5] : [1, 10, 50, 200]) {
    run.say(`cost of a quote with ${games} games`);
    costs.push({ at: games, micros: await costWith(games, run.toy ? 60 : 6_000) });
  }
  print(run, 'games', costs);
}

/** Microseconds of CPU per quote. */
async function costWith(games: number, leastRecords: number): Promise<number> {
  const images = games * booksOfGame;
  const records = quoteRecords(Math.max(leastRecords, images * 6), games);
  const partition = await partitionAlone(liveProjector(noCatalog).open(0, null));
  let left = Math.ceil(records.count / images / 3);
  let micros = 0;
  let quotes = 0;
  for (const chunk of records.chunks(images)) {
    const delivered = chunk.map(deliver);
    const cpu = process.cpuUsage();
    partition.fold(delivered);
    await partition.flush();
    const { user, system } = process.cpuUsage(cpu);
    // In the first images every quote is new: they are not counted.
    left -= 1;
    if (left >= 0) continue;
    micros += user + system;
    quotes += quotesOf(delivered);
  }
  return micros / quotes;
}

async function byLength(run: Run): Promise<void> {
  const marks = run.toy ? [400, 800] : [1_000, 10_000, 50_000, 100_000, 200_000];
  const window = run.toy ? 200 : 1_000;
  const games = new Map<string, GameState>();
  const partition = await partitionAlone(new LiveProjector(noCatalog, 0, games));
  const costs: Cost[] = [];
  let micros = 0;
  let quotes = 0;
  let marksDone = 0;
  for (const chunk of quoteRecords(Number.MAX_SAFE_INTEGER, 1).chunks(booksOfGame)) {
    const mark = marks[costs.length];
    if (mark === undefined) break;
    const delivered = chunk.map(deliver);
    const cpu = process.cpuUsage();
    partition.fold(delivered);
    await partition.flush();
    const { user, system } = process.cpuUsage(cpu);
    const rows = [...games.values()].reduce((sum, game) => sum + game.rows, 0);
    if (rows < mark - window) continue;
    micros += user + system;
    quotes += quotesOf(delivered);
    if (rows < mark + 4 * window) continue;
    costs.push({ at: mark, micros: micros / quotes });
    micros = 0;
    quotes = 0;
    marksDone += 1;
    run.say(`cost of a quote behind ${short(mark)} rows of log, ${marksDone} of ${marks.length}`);
  }
  print(run, 'rows of log', costs);
}

function print(run: Run, of: string, costs: readonly Cost[]): void {
  const [first, last] = [costs[0], costs.at(-1)];
  if (first === undefined || last === undefined) return;
  const slope = (1000 * (last.micros - first.micros)) / (last.at - first.at);
  const points = costs.map(({ at, micros }) => `${short(at)}: ${micros.toFixed(2)} µs`).join(', ');
  run.figure({
    what: `CPU of a quote by ${of}: ${points}; last ÷ first = ${(last.micros / first.micros).toFixed(2)}, slope ${slope.toFixed(4)} ns per ${of === 'games' ? 'game' : 'row'}`,
  });
}

function quotesOf(delivered: readonly DeliveredRecord[]): number {
  let quotes = 0;
  for (const { value } of delivered) {
    const { observation } = value as { observation: { operators: { quotes: unknown[] }[] } };
    for (const operator of observation.operators) quotes += operator.quotes.length;
  }
  return quotes;
}

function deliver({ key, value }: { key: string; value: unknown }): DeliveredRecord {
  return {
    offset: 0,
    timestamp: 1_800_000_000_000_000,
    key,
    headers: {},
    value,
    bytes: new Uint8Array(),
    undecodable: null,
  };
}
