// Judges an honest game that settled in a campaign of tenants. The honest part of its final files must be the same as
// without the hostile tenants: rows by the naive fold, closing lines by one DuckDB query, results by the second grader.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { LogRow } from '../../oracle/settlement-evidence.ts';
import { gradeByThePage } from '../../oracle/settlement-grader.ts';
import { type FinalDataset, settledFinals } from '../editions/final-downloads.ts';
import { rowOfProduct } from '../folds/fold-beside-oracle.ts';
import { closingLinesBySql, columnsOfLog } from '../parquet/closing-lines-sql.ts';
import { DuckDb, type PlainRow } from '../parquet/readers.ts';
import { assertSameRows } from '../parquet/same-rows.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { columnsOfResults, evidenceOf, judgeGone, only, type PlayedGame, startOf } from './finals-verdict.ts';
import type { SettledGame } from './tenants-events.ts';
import type { World } from './world.ts';

export type HonestFinals = { rows: readonly PlainRow[]; closingLines: number; results: number };

/** `operators`: those to compare, which no hostile source took over. */
export async function judgeHonestFinals(
  world: World,
  played: PlayedGame,
  { scores }: SettledGame,
  operators: readonly string[],
): Promise<HonestFinals> {
  const { game } = played;
  const folder = makeDataFolder('tenants');
  const duckDb = await DuckDb.open();
  const isCompared = (row: PlainRow): boolean => operators.includes(String(row.operator));
  try {
    await judgeGone(world, game.id);
    const finals = (await settledFinals(world.api, [game.id], folder)).get(game.id) ?? assert.fail(game.id);
    const final = (dataset: FinalDataset) => finals.get(dataset) ?? assert.fail(`${dataset} of ${game.id}`);
    const [lines, closing, results] = [final('sportsbook-lines'), final('closing-lines'), final('market-results')];

    const { t0, basis } = startOf(played);
    const expected = (await closingLinesBySql(duckDb, { files: [lines.path], t0, basis })).filter(isCompared);
    const actual_start = basis === 'scheduled' ? null : t0;
    const made = (await duckDb.rows(closing.path)).filter(isCompared);
    assertSameRows(
      made.map((row) => ({ ...only(row, columnsOfLog), actual_start: row.actual_start })),
      expected.map((row) => ({ ...row, actual_start })),
    );

    const log = (await duckDb.rows(lines.path)).filter(isCompared) as unknown as LogRow[];
    const graded = gradeByThePage(log, await evidenceOf(world, game, scores)) ?? assert.fail(`results of ${game.id}`);
    const named = (row: object): string => JSON.stringify(only(row, ['selection_id', 'line']), bigintsToo);
    const honest = new Set(graded.map(named));
    const served = (await duckDb.rows(results.path)).filter((row) => honest.has(named(row)));
    assertSameRows(
      served.map((row) => only(row, columnsOfResults)),
      graded.map((row) => only(row, columnsOfResults)),
    );
    assert.ok(graded.some(({ result }) => result === 'win') && graded.some(({ result }) => result === 'loss'));
    const rows = parquetWriter.decode('sportsbook-lines', lines.bytes).map((row) => rowOfProduct(row as never));
    return { rows: rows as readonly PlainRow[], closingLines: made.length, results: graded.length };
  } finally {
    duckDb.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const bigintsToo = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
