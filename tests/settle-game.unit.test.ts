// Settling one game: what an older release left of it, and objects that took long to put — a landing must not name what the collector may have
// taken for an orphan (I7).
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import type { PublishedRevision, ServedStream } from '../core/ports/catalog/msf.ts';
import type { SettlementInputs } from '../core/ports/catalog/settlement.ts';
import { noCrashPoints } from '../core/ports/crash-points.ts';
import { silentLog } from '../core/ports/telemetry.ts';
import { newCourse } from '../core/settlement/course.ts';
import type { Millis } from '../core/units.ts';
import { parquetWriter } from '../platform/parquet/writer.ts';
import { settleGame } from '../projectors/settlement/settle-game.ts';
import { gameState } from '../schemas/datasets/game-state.ts';
import { openManualClock } from './support/manual-clock.ts';

const minute: Millis = 60_000;

const inputs: SettlementInputs = {
  closed: { gameUuid: 'g', gameId: 'G', league: 'NBA', generation: 1, rows: 0, logTime: null, course: newCourse() },
  gameId: 'G',
  league: 'NBA',
  homeTeamId: null,
  awayTeamId: null,
  manual: null,
  removed: [],
  lineups: { home: [], away: [] },
  standing: { orders: 'again/0', evidence: 'game-state/E/1' },
  built: null,
};

const nothing = Object.fromEntries(
  gameState.columns.filter(({ nullable }) => nullable).map(({ name }) => [name, null]),
);
const state = {
  ...nothing,
  game_id: 'G',
  league: 'NBA',
  msf_game_id: 1,
  start_time: 0,
  schedule_status: 'NORMAL',
  played_status: 'COMPLETED',
  home_team_id: 'h',
  away_team_id: 'a',
  home_period_scores: [],
  away_period_scores: [],
};

/** Settles a game of one game-state revision whose file takes `putMs` to put; answers what became of it, and what landed. */
async function settle(putMs: Millis, closed = inputs.closed) {
  const clock = openManualClock(0);
  const bytes = parquetWriter.encode('game-state', [state], new Map());
  const file = { key: 'k', offset: 0, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  const changeFiles = [{ rows: 1, file }];
  const head = { revision: 1, kind: 'replace', sourceObservation: { source_updated_at: 7 }, changeFiles };
  const stream = { scopeUuid: 'g', dataset: 'game-state', epoch: 'E', head: head as unknown as PublishedRevision };
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
      artifacts: { served: async () => ({ log: null, artifacts: [] }) },
      live: { servedLog: unasked },
      msf: { stream: async () => stream as ServedStream, revisions: async () => [stream.head] },
      history: { archives: async () => [] },
      leases: { hold: unasked, release: unasked },
      objects: { put: async () => clock.advance(putMs), get: async () => bytes },
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
