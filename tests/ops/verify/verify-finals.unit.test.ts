// The proof of final files (I32): files that differ from what is built of the same inputs are violations, files that are on their way are not.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Artifact } from '../../../core/ports/catalog/artifacts.ts';
import type { CatalogGame } from '../../../core/ports/catalog/games.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { SettlementInputs } from '../../../core/ports/catalog/settlement.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import type { ReferencePlayer } from '../../../core/settlement/evidence.ts';
import { Timeline } from '../../../core/settlement/timeline.ts';
import { Report } from '../../../ops/verify/report.ts';
import { verifyFinals } from '../../../ops/verify/verify-finals.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { buildFinals } from '../../../projectors/settlement/build-finals.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import {
  openRow,
  StagedFiles,
  stagedInputs,
  stagedStream,
  stateRow,
  statOf,
} from '../../support/builders/staged-build.ts';

const standing = { orders: 'again/0', evidence: 'game-state/E/1' };
const settled: SettlementInputs = {
  ...stagedInputs,
  closed: { ...stagedInputs.closed, rows: 0 },
  standing,
  built: standing,
};

const game = { uuid: 'g', gameId: 'G', status: 'COMPLETED', settled: true } as CatalogGame;

/**
 * Verifies a game with a timeline whose only state has `homeScore`. `after`: its inputs after it was built again; `listed`, `now`: the game
 * as it was listed, and as it is.
 */
async function verify(homeScore: number, after: SettlementInputs, listed = game, now = game): Promise<Report> {
  const files = new StagedFiles();
  const state = stateRow('COMPLETED', 1, 2);
  const timeline = new Timeline({ gameId: 'G', league: 'NBA' });
  timeline.add({ epoch: 'E', revision: 1, sourceUpdatedAt: 7, row: { ...state, home_score: homeScore } as never });
  const file = files.add('timeline', 'game-state-timeline', timeline.rows);
  const facts = { gameUuid: 'g', dataset: 'game-state-timeline', version: 1, rows: 1, landedAt: 0, reason: 'settled' };
  const report = new Report();
  const inputs = [settled, after];
  const unasked = async (): Promise<never> => assert.fail('not asked');
  await verifyFinals(
    {
      ...stagedStream(files, [state]),
      settlements: {
        inputs: async () => inputs.shift() ?? null,
        state: async () => ({ closedAt: 0, landedAt: 0, built: true }),
        players: async () => [],
      },
      games: { find: async (id) => (id === now.uuid ? now : null) },
      artifacts: { served: async () => ({ log: null, closedFrom: null, artifacts: [{ ...facts, file }] }) },
      live: { servedLog: unasked },
      objects: { put: unasked, get: (key) => files.get(key) },
      parquet: parquetWriter,
      report,
    },
    listed,
  );
  return report;
}

it('finds a file that says something else than what is built again', async () => {
  assert.deepEqual((await verify(2, settled)).violations, []);
  const { violations, checked } = await verify(3, settled);
  assert.deepEqual(
    violations.map(({ invariant, subject }) => [invariant, subject]),
    [['I32', 'G game-state-timeline']],
  );
  assert.deepEqual(checked, { 'games rebuilt': 1 });
});

describe('market-results', () => {
  const [home, away] = ['00000000-0000-5000-8000-00000000000a', '00000000-0000-5000-8000-00000000000b'];
  const smith = { id: 'p', firstName: 'John', lastName: 'Smith', currentTeamId: home };
  const another = { id: 'q', firstName: 'Another', lastName: 'Man', currentTeamId: away };
  const bet = { ...openRow(1, 'over'), market: 'player_points', selection: 'over', line: 10_500 };
  const row = { ...bet, selection_id: 'player_points/full/over/John%20Smith' };
  /** A row of an id that has no statistic. */
  const named = { ...row, player_id: 'x' };
  const course = { status: { status: 'COMPLETED', at: 5 }, startedAt: 20, inPlayAt: null, starts: [] };

  /** Lands a game of `rows` with the players `then`, spoils its results, and verifies it with the players `now`. */
  async function verifyResults(
    rows: readonly ParquetRow[],
    then: readonly ReferencePlayer[],
    now: readonly ReferencePlayer[],
    spoil: (results: readonly ParquetRow[]) => readonly ParquetRow[] = (results) => results,
    removed: SettlementInputs['removed'] = [],
  ): Promise<string[]> {
    const files = new StagedFiles();
    const file = files.add('log', 'sportsbook-lines', rows);
    const closed = [{ seq: 1, rows: rows.length, min_timestamp: 1, max_timestamp: rows.length, ...file }];
    const log = { gameUuid: 'g', generation: 1, rows: rows.length, closed, tail: null } as unknown as ServedLog;
    const landed: Artifact[] = [];
    const report = new Report();
    const inputs = { ...stagedInputs, closed: { ...stagedInputs.closed, rows: rows.length, course }, removed };
    const tools = {
      ...stagedStream(files, [stateRow('COMPLETED', 90, 100)], [smith, another].map(statOf)),
      artifacts: { served: async () => ({ log: null, closedFrom: null, artifacts: landed }) },
      live: { servedLog: async () => log },
      objects: { put: async () => {}, get: (key: string) => files.get(key) },
      parquet: parquetWriter,
      games: { find: async () => null },
      report,
    };
    const settlements = (players: readonly ReferencePlayer[]) => ({
      players: async () => players,
      inputs: async () => ({ ...inputs, standing, built: standing }),
      state: async () => ({ closedAt: 0, landedAt: 0, built: true }),
    });
    for (const final of await buildFinals({ ...tools, settlements: settlements(then) }, inputs, async () => {})) {
      const { dataset, version, bytes, reason } = final;
      const { rows: built } = parquetWriter.decodeOwnColumns(bytes);
      const kept = dataset === 'market-results' ? spoil(built) : built;
      const landedFile = files.add(dataset, dataset, kept);
      landed.push({ gameUuid: 'g', dataset, version, rows: kept.length, file: landedFile, landedAt: 0, reason });
    }
    await verifyFinals({ ...tools, settlements: settlements(now) }, game);
    return report.violations.map(({ invariant, subject }) => `${invariant} ${subject}`);
  }
  const violated = ['I32 G market-results'];

  it('are verified with the players that they found, whatever the reference data says since', async () => {
    const renamed = { ...smith, firstName: 'Jack' };
    for (const rows of [[row], [named]])
      for (const [then, now] of [
        [[smith, another], []],
        [
          [smith, another],
          [renamed, another],
        ],
        [
          [renamed, another],
          [smith, another],
        ],
        [[], [{ ...smith, id: 'r' }]],
      ] as const)
        assert.deepEqual(await verifyResults(rows, then, now), [], JSON.stringify([rows, then, now]));
  });

  it('are still found to differ, also in rows of players', async () => {
    const change = (part: Partial<MarketResultsRow>) => (results: readonly ParquetRow[]) =>
      results.map((each) => ({ ...each, ...part }));
    const players = [smith, another];
    for (const [rows, then, part] of [
      [[row], players, { result: 'win' }],
      [[row], players, { player_id: null }],
      [[row], players, { player_id: 'q', result: 'ungraded', result_value: null, result_reason: 'unknown_player' }],
      [[row], [], { result: 'void', result_reason: 'did_not_play' }],
      [[named], players, { player_id: 'q' }],
      [[named], [], { result: 'loss', result_value: 10_000, result_reason: null }],
    ] as const)
      assert.deepEqual(await verifyResults(rows, then, then, change(part)), violated, JSON.stringify([rows, part]));
  });

  it('that kept a player of removed rows alone differ', async () => {
    const wrong = { ...row, row_number: 2, timestamp: 2, change: 'price', player_id: 'q' };
    const keep = (results: readonly ParquetRow[]) => results.map((each) => ({ ...each, player_id: 'q' }));
    const players = [smith, another];
    assert.deepEqual(await verifyResults([row, wrong], players, players, keep, [[2, 2]]), violated);
    assert.deepEqual(await verifyResults([row, wrong], players, players, undefined, [[2, 2]]), []);
  });
});

it('says nothing against a file whose evidence moved while it was built again', async () => {
  const moved = { ...settled, standing: { ...standing, evidence: 'game-state/E/2' } };
  const { violations, checked } = await verify(3, moved);
  assert.deepEqual([violations, checked], [[], { 'games not settled yet': 1 }]);
});

it('finds a game in progress that has final files, but not one that has settled since it was listed', async () => {
  const inPlay = { ...game, status: 'STARTED', settled: false };
  assert.deepEqual((await verify(2, settled, inPlay, game)).violations, []);
  assert.deepEqual(
    (await verify(2, settled, inPlay, inPlay)).violations.map(({ invariant, detail }) => `${invariant} ${detail}`),
    ['I32 it has final files but is listed as in progress'],
  );
});
