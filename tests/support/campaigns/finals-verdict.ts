// Judges the games that closed during a campaign: compares their lines with the naive fold of the log, their closing
// lines with one DuckDB query, and their results with the second grader. No live route may serve them any more.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Scores } from '../../../core/settlement/evidence.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import {
  type FoldedGame,
  foldPartitionTick,
  foldRecord,
  isOfPartition,
  type TopicRecord,
} from '../../oracle/records.ts';
import type { Evidence, LogRow } from '../../oracle/settlement-evidence.ts';
import { gradeByThePage } from '../../oracle/settlement-grader.ts';
import { gameStart } from '../../oracle/state.ts';
import { type DownloadedFinals, settledFinals } from '../editions/final-downloads.ts';
import { versionsOf } from '../editions/final-of-api.ts';
import { rowOfProduct } from '../folds/fold-beside-oracle.ts';
import { closingLinesBySql, columnsOfLog } from '../parquet/closing-lines-sql.ts';
import { DuckDb, type PlainRow } from '../parquet/readers.ts';
import { assertSameRows } from '../parquet/same-rows.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { until } from '../services/until.ts';
import type { World } from './world.ts';

export type FinalsVerdict = {
  finals: number;
  finalRows: number;
  closingLines: number;
  results: number;
  /** How many versions all final files have together. */
  versions: number;
};

/** Manual scores by the game's UUID; null for a withdrawn score. */
export type ScoresByHand = ReadonlyMap<string, Scores | null>;

type Basis = 'status' | 'in_play' | 'scheduled';
/** A game as the oracle folds it, and its start of play. */
export type PlayedGame = { game: FoldedGame; startedAt: bigint | null; inPlayAt: bigint | null };

/** Folds a partition as `foldRecords` does, and notes when play began. */
export function foldPlayed(records: readonly TopicRecord[]): PlayedGame[] {
  const games: FoldedGame[] = [];
  const played = new Map<FoldedGame, PlayedGame>();
  for (const record of records) {
    if (isOfPartition(record)) {
      foldPartitionTick(games, record);
      continue;
    }
    const before = games.find(({ uuid }) => uuid === record.value.game_uuid)?.fold.rows.length ?? 0;
    const game = foldRecord(games, record);
    const one = played.get(game) ?? { game, startedAt: null, inPlayAt: null };
    played.set(game, one);
    if (game.status?.status === 'STARTED') one.startedAt ??= game.status.at;
    if (record.value.observation?.in_play !== true) continue;
    for (const { timestamp } of game.fold.rows.slice(before))
      if (one.inPlayAt === null || timestamp < one.inPlayAt) one.inPlayAt = timestamp;
  }
  return [...played.values()];
}

/** Waits until the settlement workers have nothing to do. Nothing may be pushed meanwhile. */
export async function untilAllIsSettled({ api }: World): Promise<void> {
  const { settlement } = api.drivers.catalogs;
  const isSettled = async (): Promise<boolean> => {
    const due = await settlement.due(null, 5, 'all');
    if (due.length > 0) throw new Error(`due: ${due.join(', ')}`);
    return true;
  };
  await until('every closed game is settled', isSettled, { everyMs: 200 });
}

/** Compares the final files of closed games. `rowsOf`: the rows of a game's log as the oracle has them. */
export async function judgeFinals(
  world: World,
  played: readonly PlayedGame[],
  scores: ScoresByHand,
  rowsOf: (game: FoldedGame) => readonly object[],
): Promise<FinalsVerdict> {
  const verdict: FinalsVerdict = { finals: 0, finalRows: 0, closingLines: 0, results: 0, versions: 0 };
  const folder = makeDataFolder('finals');
  const duckDb = await DuckDb.open();
  try {
    for (const each of played) {
      const { game } = each;
      const expected = rowsOf(game);
      if (!game.closed || expected.length === 0) continue;
      await judgeGone(world, game.id);
      const finals = (await settledFinals(world.api, [game.id], folder)).get(game.id) ?? assert.fail(game.id);
      const lines = finals.get('sportsbook-lines') ?? assert.fail(`the final lines of ${game.id}`);
      const served = parquetWriter.decode('sportsbook-lines', lines.bytes).map((row) => rowOfProduct(row as never));
      assertSameRows(served, expected as Record<string, unknown>[]);
      const { t0, basis } = startOf(each);
      const closing = await closingLinesBySql(duckDb, { files: [lines.path], t0, basis });
      const closed = finals.get('closing-lines') ?? null;
      const made = closed === null ? [] : await duckDb.rows(closed.path);
      const actual = basis === 'scheduled' ? null : t0;
      assertSameRows(
        made.map((row) => ({ ...only(row, columnsOfLog), actual_start: row.actual_start })),
        closing.map((row) => ({ ...row, actual_start: actual })),
      );
      const results = finals.get('market-results') ?? null;
      const log = (await duckDb.rows(lines.path)) as unknown as LogRow[];
      const graded = gradeByThePage(log, await evidenceOf(world, game, scores.get(game.uuid) ?? null));
      if (graded !== null) {
        assertSameRows(
          (results === null ? [] : await duckDb.rows(results.path)).map((row) => only(row, columnsOfResults)),
          graded.map((row) => only(row, columnsOfResults)),
        );
        verdict.results += graded.length;
      }
      verdict.versions += await judgeVersions(world, game.id, finals);
      verdict.finals += 1;
      verdict.finalRows += expected.length;
      verdict.closingLines += made.length;
    }
  } finally {
    duckDb.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return verdict;
}

/** Datasets whose rows change with the evidence; rows of the others keep naming the evidence they first had. */
export const columnsOfResults = [
  'selection_id',
  'market',
  'period',
  'selection',
  'line',
  'result',
  'result_value',
] as const;

export function only(row: object, columns: readonly string[]): PlainRow {
  return Object.fromEntries(columns.map((column) => [column, (row as PlainRow)[column]]));
}

/**
 * Asserts that versions run from 1 without a gap, that each differs in its rows from the one before, and that versions
 * from manual scores are in the order in which the scores were set. Answers how many there are.
 */
async function judgeVersions({ api }: World, id: string, finals: DownloadedFinals): Promise<number> {
  let count = 0;
  for (const [dataset, newest] of finals) {
    if (newest === null) continue;
    const versions = await versionsOf(api, id, dataset);
    assert.deepEqual(
      versions.map(({ version }) => version),
      Array.from({ length: newest.version }, (_, index) => index + 1),
      `versions of ${dataset} of ${id}`,
    );
    const said = versions.map(({ rows }) => JSON.stringify(rows.map(withoutEvidence), bigintsToo));
    assert.ok(
      said.every((rows, index) => rows !== said[index - 1]),
      `versions of ${dataset} of ${id} that change nothing`,
    );
    const orders = versions.flatMap(({ reason }) => /manual\/(\d+)/.exec(reason)?.[1] ?? []).map(Number);
    assert.deepEqual(
      orders,
      [...new Set(orders)].sort((a, b) => a - b),
      `scores by hand in ${dataset} of ${id}`,
    );
    count += versions.length;
  }
  return count;
}

/** Columns whose change alone makes no new version (docs/settlement.md#versions). */
const ofEvidence = new Set(['settled_at', 'settlement_source', 'correction']);

function withoutEvidence(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !ofEvidence.has(column)));
}

const bigintsToo = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** Asserts that every live route of the game answers that it is final. */
export async function judgeGone({ api }: World, id: string): Promise<void> {
  for (const rest of ['segments', 'segments/1', 'board']) {
    const path = `/v1/games/${id}/sportsbook-lines/${rest}`;
    const response = await fetch(api.apiUrl + path, { headers: { authorization: `Bearer ${api.apiKey}` } });
    const { reason } = (await response.json()) as { reason?: string };
    assert.deepEqual([response.status, reason], [404, 'final_available'], path);
  }
}

/** The start of play by docs/settlement.md#start-of-play. */
export function startOf({ game, startedAt, inPlayAt }: PlayedGame): { t0: number; basis: Basis } {
  if (startedAt !== null) return { t0: Number(startedAt), basis: 'status' };
  if (inPlayAt !== null) return { t0: Number(inPlayAt), basis: 'in_play' };
  return { t0: Number(gameStart(game.fold)), basis: 'scheduled' };
}

/** The evidence at the heads of the game's streams. */
export async function evidenceOf(
  world: World,
  { uuid, id, league, status }: FoldedGame,
  byHand: Scores | null,
): Promise<Evidence> {
  const { catalogs } = world.api.drivers;
  const game = (await catalogs.games.find(id)) ?? assert.fail(id);
  const state = await headOf(world, uuid, 'game-state');
  const stats = await headOf(world, uuid, 'player-stats');
  const row = state?.rows[0];
  const teams = [game.home, game.away].flatMap((team) => (team === null ? [] : [team.id]));
  const numbers = (value: unknown): number[] => (value === null ? [] : [...(value as readonly number[])]);
  return {
    league,
    homeTeamId: game.home?.id ?? null,
    awayTeamId: game.away?.id ?? null,
    cancelledAt: status?.status === 'CANCELLED' ? Number(status.at) : null,
    manual: byHand === null ? null : { ...byHand, auditId: 0, at: 0 },
    gameState:
      state === null || row === undefined
        ? null
        : {
            ...state.of,
            playedStatus: String(row.played_status),
            away: row.away_score as number | null,
            home: row.home_score as number | null,
            awayPeriods: numbers(row.away_period_scores),
            homePeriods: numbers(row.home_period_scores),
          },
    playerStats:
      stats === null
        ? null
        : {
            ...stats.of,
            rows: stats.rows.map((each) => ({
              playerId: String(each.player_id),
              teamId: each.team_id as string | null,
              stat: String(each.stat),
              value: each.value as number,
            })),
          },
    players: await catalogs.settlement.players(teams, []),
  };
}

async function headOf({ api }: World, scopeUuid: string, dataset: 'game-state' | 'player-stats') {
  const { catalogs, objects } = api.drivers;
  const stream = await catalogs.msf.stream({ scopeUuid, dataset });
  if (stream === null || stream.head === null) return null;
  const rows: PlainRow[] = [];
  for (const { file } of stream.head.snapshotFiles) {
    const bytes = await objects.get(file.key, { offset: file.offset, length: file.size });
    rows.push(...(parquetWriter.decode(dataset, bytes ?? assert.fail(file.key)) as readonly PlainRow[]));
  }
  const { revision, sourceObservation } = stream.head;
  return { of: { epoch: stream.epoch, revision, at: sourceObservation.source_updated_at }, rows };
}
