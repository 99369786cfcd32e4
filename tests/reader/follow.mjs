// A reader outside this code base: follows the cursor of every game over HTTP, from 0:0, and reads what it lists with DuckDB.
//   node follow.mjs API_URL API_KEY ROWS      ends when ROWS rows were seen; prints what it saw as JSON
// It knows the interface only: list, fetch the listed URLs verbatim, of a segment that carries `from_row` take the rows from there on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';

const [api, key, wanted] = process.argv.slice(2);
const headers = { authorization: `Bearer ${key}` };
const folder = mkdtempSync(join(tmpdir(), 'follow-'));
const duckdb = await (await DuckDBInstance.create()).connect();
const cursors = new Map();
const expected = new Map();
const changes = {};
const segments = {};
let rows = 0;
let polls = 0;

async function get(path, read) {
  const response = await fetch(api + path, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await read(response);
}

async function readSegment(game, segment) {
  // A name of its own: DuckDB believes what it has cached of a path while size and time of change stay the same.
  const file = join(folder, `${polls}-${game}-${segment.seq}.parquet`);
  writeFileSync(file, Buffer.from(await get(segment.url, (response) => response.arrayBuffer())));
  const result = await duckdb.runAndReadAll(`select row_number, change from '${file}' limit ${segment.rows}`);
  rmSync(file);
  for (const [number, change] of result.getRows().slice(segment.from_row ?? 0)) {
    const next = expected.get(game) ?? 1;
    if (Number(number) !== next) throw new Error(`${game}: row ${number} came where ${next} was expected`);
    expected.set(game, next + 1);
    changes[change] = (changes[change] ?? 0) + 1;
    rows += 1;
  }
  segments[game] = { ...segments[game], [segment.seq]: segment.rows };
}

async function follow(game) {
  const cursor = cursors.get(game) ?? '0:0';
  const manifest = await get(`/v1/games/${game}/sportsbook-lines/segments?cursor=${cursor}`, (response) =>
    response.json(),
  );
  polls += 1;
  for (const segment of manifest.segments) await readSegment(game, segment);
  cursors.set(game, manifest.cursor);
}

try {
  while (rows < Number(wanted)) {
    const games = await get('/v1/games?limit=10000', (response) => response.json());
    for (const { id } of games.data) {
      try {
        await follow(id);
      } catch (error) {
        if (!String(error).includes('no_live_artifact')) throw error;
      }
    }
    await pause(100);
  }
  const games = [...expected].map(([game, next]) => [
    game,
    { rows: next - 1, segments: Object.values(segments[game]) },
  ]);
  process.stdout.write(`${JSON.stringify({ rows, polls, changes, games: Object.fromEntries(games) })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
