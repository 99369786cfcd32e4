// The demo's short game through the whole service, as `npm start` plays it but faster: stopped half-way and started again, it comes to its end, is
// settled, and its four files say what the demo's own last box score says, by grades worked out here.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { startDemo } from '../../../ops/demo/demo.ts';
import { boxscoreBody } from '../../../ops/demo/feed-bodies.ts';
import type { Remembered } from '../../../ops/demo/memory.ts';
import { recordedTimes, shortGame } from '../../../ops/demo/short-game.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { DatasetName } from '../../../schemas/datasets/registry.ts';
import { ExampleFolder, examplesOf } from '../../support/book/document-examples.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = 7;
const datasets = ['sportsbook-lines', 'closing-lines', 'market-results', 'game-state-timeline'] as const;

type Row = Readonly<Record<string, unknown>>;
type Game = { id: string; status: string; home_team: string; away_team: string };
type Line = {
  player: { firstName: string; lastName: string };
  playerStats: { [group: string]: { [name: string]: number } }[];
};
type Box = {
  scoring: { awayScoreTotal: number; homeScoreTotal: number };
  stats: Record<'away' | 'home', { players: Line[] }>;
};

const turn = skipFor(outOfTurn());

it('the short game of the demo settles as its own box score says, over a stop and a start', turn, async () => {
  const folder = makeDataFolder('demo');
  const edition = await startEdition({ environment: { SDS_DATA_DIR: folder } });
  const start = () =>
    startDemo({
      keys: edition.drivers.catalogs.keys,
      pushes: edition.drivers.catalogs.pushes,
      peppers: edition.drivers.peppers,
      dataDir: folder,
      url: edition.ingestUrl,
      seed,
      log: silentLog,
      recordingPaceMs: 0,
    });
  const remembered = (): Remembered => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Remembered;
  let stop = await start();
  try {
    const { recording } = remembered();
    const played = shortGame(seed, recording.start);
    const whole = recordedTimes(played).length;
    await until('half of it is told', () => remembered().recording.told > whole / 2);
    await stop();
    stop = await start();
    assert.equal(remembered().recording.start, recording.start);

    let game: Game | undefined;
    await until('it has ended', async () => {
      const { data } = (await getJson(apiOf(edition), '/v1/games?league=NBA&status=COMPLETED')) as { data: Game[] };
      game = data.find(({ home_team, away_team }) => home_team === played.home && away_team === played.away);
      return game !== undefined;
    });
    const files = new Map<string, readonly Row[]>();
    for (const dataset of datasets) {
      await until(`${dataset} has landed`, async () => {
        const { rows, version } = await fileOf(edition, game!.id, dataset);
        files.set(dataset, rows);
        return dataset === 'market-results' || version === '1';
      });
    }
    const of = (dataset: (typeof datasets)[number]) => files.get(dataset) ?? assert.fail(dataset);
    const end = played.actual + played.length;
    const boxes = {
      first: boxscoreBody(seed, played, end + 600) as Box,
      last: boxscoreBody(seed, played, end + 900) as Box,
    };
    checkLines(of('sportsbook-lines'), end);
    checkClosing(of('closing-lines'), of('sportsbook-lines'), played.actual);
    await until('the last box score is graded', async () => {
      const { rows, version } = await fileOf(edition, game!.id, 'market-results');
      // If the game was built after its last box score, only that one was ever graded.
      checkResults(rows, of('sportsbook-lines'), version === '1' ? { first: boxes.last, last: boxes.last } : boxes);
      return true;
    });
    checkTimeline(of('game-state-timeline'), boxes.last);
    await checkDownload(edition, game!.id, of('closing-lines').length);
    const letters = await edition.drivers.catalogs.deadLetters.list({
      before: null,
      limit: 10,
      code: null,
      source: null,
    });
    assert.deepEqual(letters, []);
  } finally {
    await stop();
    await edition.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

function apiOf({ apiUrl, apiKey }: Edition) {
  return { apiUrl, apiKey };
}

type Final = { version: string | null; rows: readonly Row[] };

async function fileOf({ apiUrl, apiKey }: Edition, game: string, dataset: DatasetName): Promise<Final> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${apiUrl}/v1/games/${game}/${dataset}`, { headers });
  if (!response.ok) throw new Error(`${dataset}: ${response.status} ${await response.text()}`);
  const version = response.headers.get('x-service-artifact-version');
  return { version, rows: parquetWriter.decode(dataset, new Uint8Array(await response.arrayBuffer())) };
}

/** Rows by what they quote, in the order of the log. */
function byOffer(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  return Map.groupBy(rows, (row) => `${row.operator} ${row.selection_id}`);
}

function checkLines(rows: readonly Row[], end: number): void {
  assert.deepEqual(
    rows.map((row) => row.row_number),
    rows.map((_, index) => index + 1),
  );
  assert.equal(new Set(rows.map((row) => row.operator)).size, 6);
  for (const [offer, own] of byOffer(rows)) {
    const last = own.at(-1)!;
    assert.equal(last.change, 'withdrawn', `${offer} was left on`);
    assert.ok((last.timestamp as number) <= (end + 60) * microsPerSecond);
  }
}

/**
 * Checks that the closing row is the last open quote before the start, unless it had been gone for a quarter of an
 * hour.
 */
function checkClosing(closing: readonly Row[], lines: readonly Row[], start: number): void {
  const t0 = start * microsPerSecond;
  const expected = [...byOffer(lines)].flatMap(([offer, rows]) => {
    const before = rows.filter((row) => (row.timestamp as number) < t0 && row.in_play === false);
    const [last, open] = [before.at(-1), before.findLast((row) => row.is_open === true)];
    if (last === undefined || open === undefined) return [];
    if (last.change === 'withdrawn' && (last.timestamp as number) <= t0 - 900 * microsPerSecond) return [];
    const basis = last === open ? 'last_before_start' : 'suspended_before_start';
    const opened = before.find((row) => row.is_open === true);
    return [[offer, open.line, open.price_american, open.timestamp, basis, opened?.price_american, t0, t0].join(' ')];
  });
  const found = closing.map((row) =>
    [
      `${row.operator} ${row.selection_id}`,
      row.line,
      row.closing_price_american,
      row.closed_at,
      row.close_basis,
      row.opening_price_american,
      row.actual_start,
      row.scheduled_start,
    ].join(' '),
  );
  assert.deepEqual(found.sort(), expected.sort());
  assert.ok(found.length > 60, `${found.length} closing lines`);
  assert.ok(closing.every((row) => (row.home_player_ids as string[]).length === 5));
  assert.ok(closing.every((row) => (row.away_player_ids as string[]).length === 5));
}

type Boxes = { first: Box; last: Box };

/**
 * Checks the result of each selection, by the last score and the players' last lines; earlier ones were corrected.
 * Lines are in thousandths; the demo's lines never push.
 */
function checkResults(results: readonly Row[], lines: readonly Row[], { first, last }: Boxes): void {
  const quoted = lines.filter((row) => row.is_open === true).map((row) => `${row.selection_id} ${row.line}`);
  assert.deepEqual(results.map((row) => `${row.selection_id} ${row.line}`).sort(), [...new Set(quoted)].sort());
  const seen = new Set<string>();
  for (const row of results) {
    const value = gradedOn(row, last);
    const name = `${row.selection_id} ${row.line}`;
    if (value === null) {
      assert.deepEqual([row.result, row.result_value, row.result_reason], ['void', null, 'did_not_play'], name);
      seen.add('did_not_play');
      continue;
    }
    const line = row.line === null ? 0 : (row.line as number) / 1_000;
    const won = row.selection === 'over' ? value > line : row.selection === 'under' ? value < line : value + line > 0;
    const expected = ['full', won ? 'win' : 'loss', value * 1_000, null, value === gradedOn(row, first) ? 0 : 1];
    assert.deepEqual([row.period, row.result, row.result_value, row.result_reason, row.correction], expected, name);
    seen.add(String(row.market));
  }
  const markets = ['did_not_play', 'moneyline', 'player_points', 'player_rebounds', 'spread', 'total'];
  assert.deepEqual([...seen].sort(), markets);
  assert.equal(results.filter((row) => row.result_reason === 'did_not_play').length, 4);
  assert.ok(results.every((row) => String(row.market).startsWith('player_') === (row.player_id !== null)));
}

/** The number on which a selection is graded; null for a player who never played. */
function gradedOn({ market, selection, selection_id }: Row, { scoring, stats }: Box): number | null {
  const [away, home] = [scoring.awayScoreTotal, scoring.homeScoreTotal];
  if (market === 'total') return home + away;
  if (market === 'moneyline' || market === 'spread') return selection === 'home' ? home - away : away - home;
  const [, , , name] = String(selection_id).split('/');
  const line = [...stats.away.players, ...stats.home.players].find(
    ({ player }) => `${player.firstName} ${player.lastName}` === name,
  )?.playerStats[0];
  assert.ok(line, String(selection_id));
  if (line.miscellaneous!.minSeconds === 0) return null;
  return market === 'player_points' ? line.offense!.pts! : line.rebounds!.reb!;
}

/** Runs the program of the reference page as printed: it finds the game by itself. */
async function checkDownload({ apiUrl, apiKey }: Edition, game: string, rows: number): Promise<void> {
  const page = await (await fetch(`${apiUrl}/docs`)).text();
  using folder = new ExampleFolder({ API: apiUrl, KEY: apiKey, GAME: '' });
  const program = examplesOf(page).get('download node') ?? assert.fail('the page has no such program');
  const { code, out, err } = await folder.start(process.execPath, 'download.mjs', program).ended;
  assert.equal(code, 0, err);
  assert.match(out, new RegExp(`^${game} ${rows} rows, `));
  const file = readFileSync(join(folder.path, 'closing-lines.parquet'));
  assert.equal(parquetWriter.decode('closing-lines', file).length, rows);
}

function checkTimeline(rows: readonly Row[], { scoring }: Box): void {
  const last = rows.at(-1)!;
  assert.deepEqual([last.away_score, last.home_score], [scoring.awayScoreTotal, scoring.homeScoreTotal]);
  assert.deepEqual([...new Set(rows.map((row) => row.status))], ['SCHEDULED', 'STARTED', 'COMPLETED']);
  assert.deepEqual([...new Set(rows.map((row) => row.period).filter((period) => period !== null))], [1, 2, 3, 4]);
}
