// f) What final files cost: settling a game (reading its segments, writing its final files) compared with one DuckDB
// pass that sorts and writes the same rows; the settlement's memory by the length of the log; and our encoder compared
// with parquet-wasm on the same rows.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { openDiskStore } from '../../platform/objects/disk.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { type GameToSettle, saveGame, settle, writeGame } from './game-to-settle.ts';
import type { Measured } from './settle-encode-process.ts';

const target = 1.5;
const targetMb = 300;
const entry = fileURLToPath(new URL('settle-encode-process.ts', import.meta.url));

export const settleEncode: Bench = {
  letter: 'f',
  title: 'final files: a settlement to a DuckDB pass, its memory, and our encoder beside parquet-wasm',
  async run(run) {
    const folder = mkdtempSync(join(tmpdir(), 'sds-bench-settle-'));
    try {
      const sizes = run.toy ? [2_000, 4_000] : [50_000, 200_000, 1_000_000];
      const games = [];
      for (const rows of sizes) {
        run.say(`writing the segments of ${short(rows)} rows`);
        const place = join(folder, String(rows));
        mkdirSync(place);
        const game = await writeGame(await openDiskStore(place), rows);
        await saveGame(place, game);
        games.push({ rows, place, game });
      }
      await besideDuckDb(run, games[1]!);
      await memory(run, games);
      await besideParquetWasm(run, games.slice(1));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type Game = { rows: number; place: string; game: GameToSettle };

async function besideDuckDb(run: Run, { rows, place, game }: Game): Promise<void> {
  run.say('settling beside DuckDB');
  const objects = await openDiskStore(place);
  const duckDb = await (await DuckDBInstance.create(':memory:')).connect();
  const works = {
    settled: (round: number) => settle(objects, game, `round-${round}`),
    encoded: () => decodeAndEncode(place, game),
    sorted: () => sortByDuckDb(duckDb, place),
  };
  const ms: Record<keyof typeof works, number[]> = { settled: [], encoded: [], sorted: [] };
  for (let round = 0; round < (run.toy ? 2 : 15); round += 1) {
    for (const name of ['settled', 'encoded', 'sorted'] as const) {
      const startedAt = performance.now();
      await works[name](round);
      // The first rounds are not counted: nothing is compiled or in memory yet.
      if (run.toy || round >= 4) ms[name].push(performance.now() - startedAt);
    }
  }
  duckDb.closeSync();
  const [settled, encoded, sorted] = [ms.settled, ms.encoded, ms.sorted].map(median) as [number, number, number];
  const ratio = settled / sorted;
  const met = ratio <= target;
  run.figure({
    what: `settling ${short(rows)} rows, ${game.log.closed.length} segments: ${settled.toFixed(0)} ms, one DuckDB pass ${sorted.toFixed(0)} ms: ${ratio.toFixed(2)}`,
    target: `≤ ${target}`,
    met,
  });
  run.note([
    `of that, segments decoded and one file encoded: ${encoded.toFixed(0)} ms, ${(encoded / sorted).toFixed(2)} of the DuckDB pass`,
  ]);
  if (met || run.toy) return;
  await run.explain(async (window) => {
    window.begin();
    for (let round = 0; round < 10; round += 1) await settle(objects, game, `explained-${round}`);
    window.end();
  });
}

/** Only decodes the segments and encodes the settlement's file of lines. */
async function decodeAndEncode(place: string, { log }: GameToSettle): Promise<void> {
  const tools = { objects: await openDiskStore(place), parquet: parquetWriter };
  const file = parquetWriter.openFile(sportsbookLines.name, new Map());
  for (const { key } of log.closed) {
    const bytes = (await tools.objects.get(key)) ?? new Uint8Array();
    for (const batch of parquetWriter.batches(null, bytes)) file.add(batch);
  }
  file.finish();
}

async function sortByDuckDb(duckDb: DuckDBConnection, place: string): Promise<void> {
  await duckDb.run(
    `copy (select * from read_parquet('${place}/segments/**/*.parquet') order by row_number)
     to '${place}/sorted.parquet' (format parquet, compression zstd, row_group_size 32768)`,
  );
}

async function memory(run: Run, games: readonly Game[]): Promise<void> {
  const peaks: Measured[] = [];
  for (const { rows, place } of games) {
    run.say(`settling ${short(rows)} rows in a process of its own`);
    peaks.push(await measureAlone(place, 'settle', 1));
  }
  const last = peaks.at(-1)!;
  run.figure({
    what: `peak memory of a process that settles ${games.map(({ rows }) => short(rows)).join(', ')} rows: ${peaks.map(({ peakMb }) => peakMb.toFixed(0)).join(', ')} MB; before it began ${last.beforeMb.toFixed(0)} MB`,
    target: `≤ ${targetMb} MB`,
    met: last.peakMb <= targetMb,
  });
}

async function besideParquetWasm(run: Run, games: readonly Game[]): Promise<void> {
  for (const { rows, place } of games) {
    run.say(`encoding ${short(rows)} rows both ways`);
    const [ours, theirs] = [await measureAlone(place, 'ours', 5), await measureAlone(place, 'parquet-wasm', 5)];
    const costsOf = (measured: Measured) =>
      `${measured.cpuMs.toFixed(0)} ms CPU, ${(measured.bytes / 1e6).toFixed(2)} MB, memory +${(measured.peakMb - measured.beforeMb).toFixed(0)} MB`;
    run.figure({
      what: `${short(rows)} rows to one file: our encoder ${costsOf(ours)}; parquet-wasm with Arrow columns ${costsOf(theirs)}; ours ÷ theirs = ${(ours.cpuMs / theirs.cpuMs).toFixed(2)}`,
    });
  }
}

async function measureAlone(place: string, how: string, times: number): Promise<Measured> {
  const flags = ['--disable-warning=ExperimentalWarning', entry, place, how, String(times)];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return JSON.parse(stdout) as Measured;
}
