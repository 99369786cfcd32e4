// Settling one game: what an older release left of it, and objects that took long to put — a landing must not name what the collector may have
// taken for an orphan (I7).
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { noCrashPoints } from '../../../core/ports/crash-points.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { Millis } from '../../../core/units.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { settleGame } from '../../../projectors/settlement/settle-game.ts';
import { StagedFiles, stagedInputs, stagedStream, stateRow } from '../../support/builders/staged-build.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const minute: Millis = 60_000;

const inputs = { ...stagedInputs, closed: { ...stagedInputs.closed, rows: 0 } };

/** Settles a game with one game-state revision whose file takes `putMs` to put. Answers the result, and what landed. */
async function settle(putMs: Millis, closed = inputs.closed) {
  const clock = openManualClock(0);
  const files = new StagedFiles();
  const landed: string[] = [];
  const unasked = async (): Promise<never> => assert.fail('not asked');
  const answer = await settleGame(
    {
      settlements: {
        due: unasked,
        players: unasked,
        inputs: async () => ({ ...inputs, closed }),
        land: async (_game, artifacts) => {
          landed.push(...artifacts.map(({ dataset }) => dataset));
          return 'landed';
        },
      },
      artifacts: { served: async () => ({ log: null, closedFrom: null, artifacts: [] }) },
      live: { servedLog: unasked },
      ...stagedStream(files, [stateRow('COMPLETED', 4, 3)]),
      leases: { hold: unasked, release: unasked },
      objects: { put: async () => clock.advance(putMs), get: (key) => files.get(key) },
      parquet: parquetWriter,
      clock,
      crash: noCrashPoints,
      log: silentLog,
      newAttempt: () => 'attempt',
    },
    'g',
    async () => {},
  );
  return { answer, landed };
}

it('lands what was put within half an hour', async () => {
  assert.deepEqual(await settle(29 * minute), { answer: 'landed', landed: ['game-state-timeline'] });
});

it('lands nothing of what was put longer ago: the game is built again', async () => {
  assert.deepEqual(await settle(31 * minute), { answer: 'overtaken', landed: [] });
});

it('settles a game that a release before settlement left without an id and a league', async () => {
  const { answer } = await settle(0, { ...inputs.closed, gameId: '', league: '' });
  assert.equal(answer, 'landed');
});
