// Judges a campaign of tenants: naively folds only the honest records of the log, and compares the rows, boards and
// states served for the honest operators. Hostile records in between may change nothing. Row numbers and segments
// belong to all tenants together and are not compared.
import assert from 'node:assert/strict';
import { columnsOf, type FoldedGame, publishedOf, type TopicRecord } from '../../oracle/records.ts';
import { writeTime } from '../../oracle/times.ts';
import { getRows, manifestOf, rowsOf } from '../editions/published-game.ts';
import { rowOfProduct } from '../folds/fold-beside-oracle.ts';
import { until } from '../services/until.ts';
import { foldPlayed } from './finals-verdict.ts';
import type { Follower } from './follower.ts';
import type { Acknowledged } from './load.ts';
import type { SettledGame } from './tenants-events.ts';
import { judgeHonestFinals } from './tenants-finals.ts';
import { honestSources, hostileSources } from './tenants-grants.ts';
import { boardRow, judgeAcknowledged, judgeJournal, readQuotesLog } from './verdict.ts';
import type { World } from './world.ts';

export type TenantsVerdict = {
  records: number;
  /** How many of the records are from hostile sources. */
  hostileRecords: number;
  games: number;
  rows: number;
  hostileRows: number;
  boards: number;
  /** Boards of operators that another tenant named before their own source came. */
  squatted: number;
  /** Closing lines of the game that settled. */
  closingLines: number;
  results: number;
  receipts: number;
};

export async function judgeTenants(
  world: World,
  follower: Follower,
  acknowledged: readonly Acknowledged[],
  settled: SettledGame,
): Promise<TenantsVerdict> {
  await judgeJournal(world);
  const log = await readQuotesLog(world.api.drivers.broker);
  const isHostile = ({ value }: TopicRecord): boolean => hostileSources.includes(value.source);
  const verdict: TenantsVerdict = {
    records: log.flat().length,
    hostileRecords: log.flat().filter(isHostile).length,
    games: 0,
    rows: 0,
    hostileRows: 0,
    boards: 0,
    squatted: 0,
    closingLines: 0,
    results: 0,
    receipts: acknowledged.length,
  };
  const squatted = squattedOf(log.flat());
  await follower.catchUp();
  assert.deepEqual(follower.violations, [], 'what the follower met');
  for (const records of log) {
    for (const played of foldPlayed(records.filter((record) => !isHostile(record)))) {
      const { game } = played;
      if (game.fold.rows.length === 0) continue;
      assert.equal(game.closed, game.uuid === settled.uuid, `${game.id} is closed`);
      judgeFollowed(follower, game, squatted);
      verdict.games += 1;
      if (game.closed) {
        const compared = comparedOf(game, squatted);
        const finals = await judgeHonestFinals(world, played, settled, compared);
        const [served, expected] = [byOperator(finals.rows, compared), byOperator(expectedRows(game), compared)];
        for (const code of compared)
          assertSame(`final rows of ${code} in ${game.id}`, served[code] ?? [], expected[code] ?? []);
        verdict.closingLines += finals.closingLines;
        verdict.results += finals.results;
        continue;
      }
      const judged = await judgeHonestGame(world, game, squatted);
      verdict.rows += judged.rows;
      verdict.hostileRows += judged.hostileRows;
      verdict.boards += judged.boards;
    }
  }
  verdict.squatted = squatted.size;
  judgeAcknowledged(log, acknowledged);
  return verdict;
}

/**
 * `<game> <operator>` of each operator that a hostile source named in a game before its own source did. By contract,
 * the rows written until then stay.
 */
function squattedOf(records: readonly TopicRecord[]): Set<string> {
  const honest = new Map<string, string>();
  const codes = ({ value }: TopicRecord): string[] =>
    value.observation === null ? [] : value.observation.operators.map(({ operator }) => operator.toUpperCase());
  for (const record of records) {
    if (!honestSources.includes(record.value.source)) continue;
    for (const code of codes(record)) honest.set(code, record.value.source);
  }
  const first = new Map<string, string>();
  for (const record of records) {
    if (record.value.observation?.kind === 'heartbeat') continue;
    for (const code of codes(record)) {
      const place = `${record.value.game_uuid} ${code}`;
      if (honest.has(code) && !first.has(place)) first.set(place, record.value.source);
    }
  }
  return new Set([...first].filter(([, source]) => hostileSources.includes(source)).map(([place]) => place));
}

const text = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));
const time = (micros: bigint | null | undefined): string | null => (micros == null ? null : writeTime(micros));

type PlainRow = Readonly<Record<string, unknown>>;

/** A row without its number, which counts the rows of all tenants. */
function withoutNumber({ row_number: _, ...row }: PlainRow): PlainRow {
  return row;
}

/** The rows of the given operators, by operator. */
function byOperator(rows: readonly PlainRow[], operators: readonly string[]): Record<string, PlainRow[]> {
  return Object.fromEntries(
    operators.map((code) => [code, rows.filter(({ operator }) => operator === code).map(withoutNumber)]),
  );
}

/** The operators whose rows are compared. */
function comparedOf(game: FoldedGame, squatted: ReadonlySet<string>): string[] {
  const codes = [...new Set(game.fold.rows.map(({ operator }) => operator))].sort();
  return codes.filter((code) => !squatted.has(`${game.uuid} ${code}`));
}

function expectedRows(game: FoldedGame): PlainRow[] {
  return game.fold.rows.map((row) => columnsOf(row, 0, game.league));
}

async function judgeHonestGame(
  world: World,
  game: FoldedGame,
  squatted: ReadonlySet<string>,
): Promise<{ rows: number; hostileRows: number; boards: number }> {
  const compared = comparedOf(game, squatted);
  const expected = byOperator(expectedRows(game), compared);
  const boards = publishedOf(game).boards.map((board) => {
    const isSquatted = squatted.has(`${game.uuid} ${board.operator}`);
    const rows: PlainRow[] = board.entries.map(({ row, state }) => ({
      ...columnsOf(row, 0, game.league),
      last_changed_at: time(row.timestamp),
      operator_observed_through: time(board.observedThrough),
      quote_state: state,
    }));
    return [board.operator, rows.map(isSquatted ? believed : withoutNumber), time(board.watermark)];
  });
  const honest = new Set(boards.map(([code]) => code as string));
  let hostileRows = 0;
  await until(
    `the honest part of game ${game.id} is served as the oracle folds it alone`,
    async () => {
      const manifest = await manifestOf(world.api, game.id);
      const all = (await rowsOf(world.api, manifest)).map((row) => rowOfProduct(row as never) as PlainRow);
      hostileRows = all.filter(({ operator }) => !compared.includes(String(operator))).length;
      const served = byOperator(all, compared);
      for (const code of compared)
        assertSame(`rows of ${code} in ${game.id}`, served[code] ?? [], expected[code] ?? []);
      const files = [];
      for (const file of manifest.board.files.filter(({ operator }) => honest.has(operator))) {
        const isSquatted = squatted.has(`${game.uuid} ${file.operator}`);
        const rows = (await getRows(world.api, file.url, 'board')).map((row) => boardRow(row) as PlainRow);
        const through = manifest.operators[file.operator]?.observed_through ?? null;
        files.push([file.operator, rows.map(isSquatted ? believed : withoutNumber), through]);
      }
      assert.equal(text(files), text(boards), `boards of ${game.id}`);
      return true;
    },
    { everyMs: 500 },
  );
  const rows = compared.reduce((sum, code) => sum + (expected[code]?.length ?? 0), 0);
  return { rows, hostileRows, boards: boards.length };
}

/** The state of a selection as a reader sees it. */
function believed({ selection_id, line, price_american, price_decimal, is_open, quote_state }: PlainRow): PlainRow {
  return { selection_id, line, price_american, price_decimal, is_open, quote_state };
}

function assertSame(what: string, served: readonly PlainRow[], expected: readonly PlainRow[]): void {
  const at = expected.findIndex((row, index) => text(row) !== text(served[index]));
  assert.equal(at, -1, `${what}, number ${at + 1}: ${text(served[at])}, and not ${text(expected[at])}`);
  assert.equal(served.length, expected.length, `number of ${what}`);
}

/**
 * Asserts that a client that followed the cursor through the whole flood has each honest row unchanged and once; of a
 * closed game, up to its end.
 */
function judgeFollowed(follower: Follower, game: FoldedGame, squatted: ReadonlySet<string>): void {
  const compared = comparedOf(game, squatted);
  const followed = (follower.rows.get(game.id) ?? []).map((row) => rowOfProduct(row as never) as PlainRow);
  const [seen, expected] = [byOperator(followed, compared), byOperator(expectedRows(game), compared)];
  for (const code of compared) {
    const followedRows = seen[code] ?? [];
    const rows = (expected[code] ?? []).slice(0, game.closed ? followedRows.length : undefined);
    assertSame(`followed rows of ${code} in ${game.id}`, followedRows, rows);
  }
}
