// The proof of final files (I32): files that differ from what is built of the same inputs are violations, files that are on their way are not.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { CatalogGame } from '../../../core/ports/catalog/games.ts';
import type { SettlementInputs } from '../../../core/ports/catalog/settlement.ts';
import { Timeline } from '../../../core/settlement/timeline.ts';
import { Report } from '../../../ops/verify/report.ts';
import { verifyFinals } from '../../../ops/verify/verify-finals.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { StagedFiles, stagedInputs, stagedStream, stateRow } from '../../support/builders/staged-build.ts';

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
