// A process for work that has to be measured alone, for its memory above all: settles the game in the folder, or writes
// its rows as one file by our encoder or by parquet-wasm. Prints one line of JSON.
//   node settle-encode-process.ts FOLDER settle|ours|parquet-wasm TIMES
import { openDiskStore } from '../../platform/objects/disk.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { logRows } from '../../projectors/settlement/log-rows.ts';
import { type SportsbookLinesRow, sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { median } from './bench.ts';
import { loadGame, settle } from './game-to-settle.ts';
import { Taken } from './taken.ts';

/** `peakMb` is the peak of the whole process, `beforeMb` its memory when the work began. */
export type Measured = { cpuMs: number; bytes: number; beforeMb: number; peakMb: number };

const [folder = '', how = '', times = '1'] = process.argv.slice(2);
const objects = await openDiskStore(folder);
const game = await loadGame(folder);
const work = await workOf(how);
const beforeMb = process.memoryUsage().rss / 1e6;
const cpuMs: number[] = [];
let bytes = 0;
for (let time = 0; time < Number(times); time += 1) {
  const taken = new Taken();
  await taken.by(async () => {
    bytes = await work(time);
  });
  cpuMs.push(taken.cpuMs);
}
const measured: Measured = { cpuMs: median(cpuMs), bytes, beforeMb, peakMb: process.resourceUsage().maxRSS / 1e3 };
console.log(JSON.stringify(measured));

async function workOf(how: string): Promise<(time: number) => number | Promise<number>> {
  if (how === 'settle') return (time) => settle(objects, game, `${process.pid}-${time}`);
  const rows: SportsbookLinesRow[] = [];
  for await (const part of logRows({ objects, parquet: parquetWriter }, game.log, [])) rows.push(...part.rows);
  const none = new Map<string, string>();
  if (how === 'ours') return () => parquetWriter.encode(sportsbookLines.name, rows, none).length;
  const { encodeByParquetWasm } = await import('./arrow-rows.ts');
  return () => encodeByParquetWasm(sportsbookLines, rows).length;
}
